package rules

import (
	"fmt"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// maxKeyAttributes is the most HASH and the most RANGE attributes of a GSI.
const maxKeyAttributes = 4

var defMgsiAttrCount = &Rule{
	ID: "def-mgsi-attr-count", Severity: Error, Needs: Definition, Check: checkDefMgsiAttrCount,
	Doc: Doc{
		Summary:   "a global secondary index has too many or too few key attributes",
		Why:       "DynamoDB refuses an index with more than four HASH or four RANGE attributes, with none at all, or with a HASH attribute after a RANGE one.",
		Fix:       "Keep one to four HASH attributes, then at most four RANGE attributes; drop the rest or join them into one attribute.",
		Threshold: "1 to 4 HASH attributes, 0 to 4 RANGE attributes, HASH before RANGE",
		Source:    "DynamoDB developer guide: GSI (multi-attribute keys)",
		Since:     "0.1",
		Bad:       "[[table.gsi]]\nname = \"byPlace\"\npartition_key = [\"continent:S\", \"country:S\", \"state:S\", \"city:S\", \"street:S\"]",
		Good:      "[[table.gsi]]\nname = \"byPlace\"\npartition_key = [\"country:S\", \"city:S\"]\nsort_key = [\"street:S\", \"number:N\"]",
	},
}

func checkDefMgsiAttrCount(p *Pass) {
	for _, ix := range p.gsis() {
		if gaps := roleGaps(ix.Key); len(gaps) > 0 {
			p.Skip(ix.DisplayName(), gaps...)
			continue
		}
		if !reportBadRoles(p, ix, ix.Key) {
			continue
		}
		reportCount(p, ix, table.Hash, ix.Key.Partition(), 1)
		reportCount(p, ix, table.Range, ix.Key.Sort(), 0)
		reportHashAfterRange(p, ix)
		reportRepeat(p, ix, ix.Key)
	}
}

func reportCount(p *Pass, ix *table.Index, role table.Role, attrs []table.Attribute, least int) {
	n := len(attrs)
	if n >= least && n <= maxKeyAttributes {
		return
	}
	f := Finding{
		Index: ix.DisplayName(), At: place(ix.Key.At, ix.At),
		Message: fmt.Sprintf("global index %q has no %s attribute; it needs at least %d", ix.DisplayName(), role, least),
		Numbers: []Number{{"attributes", float64(n)}, {"limit", maxKeyAttributes}},
	}
	if n > maxKeyAttributes {
		over := attrs[maxKeyAttributes]
		f.Attribute, _ = over.Name.Get()
		f.At = place(over.At, over.Name.At, f.At)
		f.Message = fmt.Sprintf("global index %q has %d %s attributes, %q among them; the limit is %d",
			ix.DisplayName(), n, role, f.Attribute, maxKeyAttributes)
	}
	p.Report(f)
}

func reportHashAfterRange(p *Pass, ix *table.Index) {
	ranged := false
	for _, e := range ix.Key.Elements {
		ranged = ranged || source.Is(e.Role, table.Range)
		if !ranged || !source.Is(e.Role, table.Hash) {
			continue
		}
		name, _ := e.Name.Get()
		p.Report(Finding{
			Index: ix.DisplayName(), Attribute: name, At: place(e.At, e.Name.At),
			Message: fmt.Sprintf("global index %q lists HASH attribute %q after a RANGE attribute; HASH attributes come first", ix.DisplayName(), name),
			Fix:     "List the HASH attributes first, then the RANGE attributes.",
		})
		return
	}
}
