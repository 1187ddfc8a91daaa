package rules

import (
	"fmt"

	"ddbvet/internal/table"
)

var defMultiAttrNotGSI = &Rule{
	ID: "def-multi-attr-not-gsi", Severity: Error, Needs: Definition, Check: checkDefMultiAttrNotGSI,
	Doc: Doc{
		Summary:   "a table or local index has a multi-attribute key",
		Why:       "Only global secondary indexes take several HASH or RANGE attributes; elsewhere the deployment fails.",
		Fix:       "Move the multi-attribute key to a global secondary index, or join the values into one key attribute.",
		Threshold: "1 HASH and at most 1 RANGE attribute on tables and local indexes",
		Source:    "DynamoDB developer guide: GSI (multi-attribute keys)",
		Since:     "0.1",
		Bad:       "[[table]]\nname = \"Orders\"\npartition_key = [\"tenantId:S\", \"region:S\"]",
		Good:      "[[table]]\nname = \"Orders\"\npartition_key = \"orderId:S\"\n[[table.gsi]]\nname = \"byTenant\"\npartition_key = [\"tenantId:S\", \"region:S\"]",
	},
}

func checkDefMultiAttrNotGSI(p *Pass) {
	t := p.Table
	checkSingleKey(p, nil, t.Key)
	if gaps := listGaps("lsis", t.LSIs); len(gaps) > 0 {
		p.Skip("", gaps...)
	}
	for _, ix := range t.LSIs.Items {
		checkSingleKey(p, ix, ix.Key)
	}
}

// checkSingleKey reports the second attribute of a role, which is certain even
// where the rest of the schema is not known.
func checkSingleKey(p *Pass, ix *table.Index, k table.Key) {
	use := keyUse{Index: ix}
	found := false
	for _, role := range []struct {
		name  table.Role
		attrs []table.Attribute
	}{{table.Hash, k.Partition()}, {table.Range, k.Sort()}} {
		n := len(role.attrs)
		if n < 2 {
			continue
		}
		found = true
		second, _ := role.attrs[1].Name.Get()
		p.Report(Finding{
			Index: use.indexName(), Attribute: second, At: place(role.attrs[1].At, role.attrs[1].Name.At),
			Message: fmt.Sprintf("%s has %d %s attributes, %q among them; only a global index takes more than 1", use.owner(), n, role.name, second),
			Numbers: []Number{{"attributes", float64(n)}, {"limit", 1}},
		})
	}
	if gaps := roleGaps(k); !found && len(gaps) > 0 {
		p.Skip(use.indexName(), gaps...)
	}
}
