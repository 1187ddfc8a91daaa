package rules

import "ddbvet/internal/table"

var itemWriteBoundary = &Rule{
	ID:       "item-write-boundary",
	Severity: Note,
	Needs:    Data | Patterns,
	Check:    checkItemWriteBoundary,
	Doc: Doc{
		Summary:   "items are just over a step of 1 KB, which each write pays",
		Why:       "A write is billed by begun kilobytes; a few bytes over a step cost a unit on every write.",
		Fix:       "Shorten attribute names or values, or drop what is not read.",
		Threshold: "the typical item is at most 103 B over a multiple of 1,024 B, and trimming it saves more than $1 a month",
		Source:    "DynamoDB Developer Guide, \"DynamoDB read and write operations\"; DynamoDB lens of the Well-Architected Framework, performance",
		Since:     "0.1",
		Bad:       "item_size = \"1060B\"   # PutItem at 100/s",
		Good:      "item_size = \"1020B\"   # PutItem at 100/s",
	},
}

func checkItemWriteBoundary(p *Pass) {
	for _, b := range p.justOver(1024) {
		units := 0.0
		var gaps []string
		for i := range p.Plans {
			r := &p.Plans[i]
			op, _ := r.Pattern.Operation.Get()
			if touched, _ := p.touches(r, b.entity); !table.Writes(op) || !touched {
				continue
			}
			rate, ok := averageRate(r.Pattern)
			if !ok {
				gaps = append(gaps, "the rate of "+quoted(patternName(r.Pattern)))
				continue
			}
			n := callItems(r.Pattern, op)
			if table.Transactional(op) {
				n *= 2 // both phases are billed
			}
			units += n * rate
		}
		p.reportBoundary(b, units, true, "1 WCU on each write of the table", gaps)
	}
}
