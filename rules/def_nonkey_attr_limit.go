package rules

import (
	"fmt"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// nonKeyLimit is the number of attributes that all INCLUDE projections of a
// table may list together; nonKeyNear is 80 % of it.
const (
	nonKeyLimit = 100
	nonKeyNear  = 80
)

var defNonkeyAttrLimit = &Rule{
	ID: "def-nonkey-attr-limit", Severity: Error, Needs: Definition, Check: checkDefNonkeyAttrLimit,
	Doc: Doc{
		Summary:   "the INCLUDE projections of all indexes list too many attributes together",
		Why:       "DynamoDB counts the listed attributes of all indexes, the same name twice where two indexes list it, and refuses more than 100.",
		Fix:       "Project ALL on the widest index, or list fewer attributes.",
		Threshold: "over 100 is an error, 80 and more a warning (80 %)",
		Source:    "DynamoDB developer guide: ServiceQuotas (projected secondary index attributes)",
		Since:     "0.1",
		Bad:       "# two [[table.gsi]] blocks that list 60 attributes each in projection",
		Good:      "[[table.gsi]]\nname = \"byMail\"\npartition_key = \"mail:S\"\nprojection = \"all\"",
	},
}

func checkDefNonkeyAttrLimit(p *Pass) {
	gaps := indexGaps(p.Table)
	total := 0
	var crossed, last *table.Index
	for _, ix := range p.Table.Indexes() {
		projection, ok := ix.Projection.Get()
		if ok && projection != table.ProjectionInclude {
			continue
		}
		if !ok {
			if len(ix.NonKey.Items) > 0 || !ix.NonKey.Complete() {
				gaps = append(gaps, gap(fmt.Sprintf("projection of %s", ix.DisplayName()), ix.Projection))
			}
			continue
		}
		gaps = append(gaps, listGaps(fmt.Sprintf("projected attributes of %s", ix.DisplayName()), ix.NonKey)...)
		total += len(ix.NonKey.Items)
		last = ix
		if crossed == nil && total > nonKeyLimit {
			crossed = ix
		}
	}
	if len(gaps) > 0 && total <= nonKeyLimit {
		p.Skip("", gaps...)
	}
	f := Finding{Numbers: []Number{{"attributes", float64(total)}, {"limit", nonKeyLimit}}}
	switch {
	case total > nonKeyLimit:
		f.At = nonKeyPlace(crossed)
		f.Message = fmt.Sprintf("the indexes list %d projected attributes together; the limit is %d", total, nonKeyLimit)
	case total >= nonKeyNear:
		f.Severity, f.At = Warning, nonKeyPlace(last)
		f.Message = fmt.Sprintf("the indexes list %d projected attributes together, at or over 80 %% of the limit of %d", total, nonKeyLimit)
	default:
		return
	}
	p.Report(f)
}

func nonKeyPlace(ix *table.Index) source.Span {
	return place(ix.NonKey.At, ix.Projection.At, ix.At)
}
