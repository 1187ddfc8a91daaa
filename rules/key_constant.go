package rules

import (
	"slices"

	"ddbvet/internal/table"
)

var keyConstant = &Rule{
	ID:       "key-constant",
	Severity: Warning,
	Needs:    Definition,
	Either:   Data | Items,
	Check:    checkKeyConstant,
	Doc: Doc{
		Summary:   "the partition key has one value for all items of a kind",
		Why:       "One key value is one item collection: every write of the kind meets the 1,000 WCU a second that one partition serves, and an append workload cannot be split by its sort key either.",
		Fix:       "Put an entity's id into the partition key, or add a shard suffix and read the shards with parallel queries.",
		Threshold: "one value. Severity by the declared peak against 1,000 WCU/s and 3,000 RCU/s: note below half, warning from half or when the rate is not known, error from the whole; also error when sampled items of an append workload share one value and the rate is not known. Kinds of one item, and reference data of at most 1,000 items that no pattern writes and whose reads stay below half, are no fault",
		Source:    "DynamoDB Developer Guide, \"Best practices for designing and using partition keys effectively\" and \"Burst and adaptive capacity\"",
		Since:     "0.1",
		Bad:       "[[table.entity]]\nname = \"Log\"\nkey = { PK = \"OPS_LOG\", SK = \"{timestamp}\" }",
		Good:      "[[table.entity]]\nname = \"Log\"\nkey = { PK = \"HOST#{hostId}\", SK = \"{timestamp}\" }",
	},
}

func checkKeyConstant(p *Pass) {
	if !p.Table.Key.Complete() {
		p.Skip("", "the table's key schema")
		return
	}
	var done []string // constants already reported
	for _, u := range partitionsOf(p.Table, nil) {
		switch _, values := u.distinctValues(); {
		case u.needs != "":
			p.Skip(u.attr, u.needs)
		case values != 1 || u.timed() || u.own || slices.Contains(done, u.text):
		default:
			done = append(done, u.text)
			p.reportConstant(&u)
		}
	}
	if k := sampledFew(p.Table, p.Table.Key); k != nil && k.Distinct == 1 && len(done) == 0 {
		p.reportSampledConstant(k)
	}
}

// reportConstant reports a constant key with the traffic of every kind of item
// that shares it.
func (p *Pass) reportConstant(u *partition) {
	var h heat
	var kinds []string
	reference := true
	for _, o := range partitionsOf(p.Table, nil) {
		if o.text != u.text {
			continue
		}
		h = h.add(p.keyTraffic(nil, o.entity).heat(1))
		kinds = append(kinds, entityName(o.entity))
		reference = reference && p.reference(o.entity) && len(p.trafficOn(nil, o.entity).writers) == 0
	}
	if reference && h.severity() == Note {
		return
	}
	p.Report(Finding{
		Severity: h.severity(), Known: Estimated, At: u.at, Attribute: u.attr, Entity: kinds[0],
		Message: "partition key " + quoted(u.text) + " is one value for every item of " + quotedList(kinds) + ": " + h.text(),
		Fix:     spreadFix(u, h),
		Numbers: append([]Number{{"distinct_values", 1}}, h.numbers()...),
	})
}

// reportSampledConstant reports that every item looked at has the same key. A
// workload that appends makes it an error unless its rate is known to be low.
func (p *Pass) reportSampledConstant(k *table.KeyProfile) {
	h := p.sampledHeat(nil, k)
	sev := h.severity()
	msg := "partition key " + quoted(k.Attribute) + " has one value on all " + number(float64(p.Table.Profile.Items)) + " items looked at"
	if len(h.unsure) > 0 && p.appends() {
		sev = Error
		msg += " and items are appended to it"
	}
	p.Report(Finding{
		Severity: sev, Known: Sampled, At: p.Table.Key.At, Attribute: k.Attribute,
		Message: msg + ": " + h.text(),
		Numbers: append([]Number{{"distinct_values", 1}, {"items", float64(p.Table.Profile.Items)}}, h.numbers()...),
	})
}

// appends tells whether the table takes new items all the time: a pattern puts
// items, an entity grows, or the sort key is a time or a sequence.
func (p *Pass) appends() bool {
	for _, r := range p.Plans {
		switch op, _ := r.Pattern.Operation.Get(); op {
		case table.PutItem, table.BatchWriteItem:
			return true
		}
	}
	for _, e := range p.Table.Entities.Items {
		if g, ok := e.Growth.Get(); ok && g > 0 {
			return true
		}
	}
	for _, a := range p.Table.Key.Sort() {
		if n, ok := a.Name.Get(); ok && momentName(n) {
			return true
		}
	}
	return false
}
