package rules

import (
	"fmt"

	"ddbvet/internal/table"
)

var defIncludeEmpty = &Rule{
	ID: "def-include-empty", Severity: Error, Needs: Definition, Check: checkDefIncludeEmpty,
	Doc: Doc{
		Summary:   "an INCLUDE projection lists no attribute, or another projection lists some",
		Why:       "CreateTable refuses INCLUDE without NonKeyAttributes, and NonKeyAttributes with ALL or KEYS_ONLY.",
		Fix:       "List the attributes with INCLUDE, or use ALL or KEYS_ONLY and list none.",
		Threshold: "INCLUDE: 1 attribute or more; ALL and KEYS_ONLY: none; no other type exists",
		Source:    "DynamoDB API reference: Projection",
		Since:     "0.1",
		Bad:       "Projection: {ProjectionType: INCLUDE}",
		Good:      "Projection: {ProjectionType: INCLUDE, NonKeyAttributes: [title]}",
	},
}

func checkDefIncludeEmpty(p *Pass) {
	if gaps := indexGaps(p.Table); len(gaps) > 0 {
		p.Skip("", gaps...)
	}
	for _, ix := range p.Table.Indexes() {
		checkProjection(p, ix)
	}
}

func checkProjection(p *Pass, ix *table.Index) {
	name, listed := ix.DisplayName(), len(ix.NonKey.Items)
	projection, ok := ix.Projection.Get()
	f := Finding{Index: name, At: place(ix.Projection.At, ix.At)}
	switch {
	case !ok:
		p.Skip(name, gap("projection", ix.Projection))
		return
	case projection == table.ProjectionInclude:
		if listed > 0 {
			return
		}
		if !ix.NonKey.Complete() {
			p.Skip(name, listGaps("projected attributes", ix.NonKey)...)
			return
		}
		f.Message = fmt.Sprintf("index %q projects INCLUDE and lists 0 attributes; it needs at least 1", name)
	case projection != table.ProjectionAll && projection != table.ProjectionKeysOnly:
		f.Message = fmt.Sprintf("index %q has projection %q; it is ALL, INCLUDE or KEYS_ONLY", name, projection)
	case listed > 0:
		f.At = place(ix.NonKey.At, f.At)
		f.Message = fmt.Sprintf("index %q projects %s and lists %s as well; only INCLUDE takes a list",
			name, projection, plural(listed, "attribute", "attributes"))
		f.Numbers = []Number{{"attributes", float64(listed)}, {"limit", 0}}
	case !ix.NonKey.Complete():
		p.Skip(name, listGaps("projected attributes", ix.NonKey)...)
		return
	default:
		return
	}
	p.Report(f)
}
