package rules

import (
	"fmt"

	"ddbvet/internal/table"
)

// vectorLimit is the number of vector indexes a table.
const vectorLimit = 5

var defVectorMode = &Rule{
	ID: "def-vector-mode", Severity: Error, Needs: Definition, Applies: hasVectors, Check: checkDefVectorMode,
	Doc: Doc{
		Summary:   "a vector index on a provisioned table, too many of them, or one that searches an undefined attribute",
		Why:       "Vector indexes exist on on-demand tables only, at most five a table, and their search schema names defined attributes; anything else is refused.",
		Fix:       "Use on-demand capacity, keep at most five vector indexes, and define the attributes of the search schema.",
		Threshold: "PAY_PER_REQUEST, 5 vector indexes, every search schema attribute in AttributeDefinitions",
		Source:    "DynamoDB developer guide: ServiceQuotas (vector indexes); API reference: SearchSchemaElement",
		Since:     "0.1",
		Bad:       "BillingMode: PROVISIONED\nVectorIndexes: [{IndexName: byMeaning, Dimensions: 1024}]",
		Good:      "BillingMode: PAY_PER_REQUEST\nVectorIndexes: [{IndexName: byMeaning, Dimensions: 1024}]",
	},
}

func hasVectors(t *table.Table) bool { return len(t.Vectors.Items) > 0 || !t.Vectors.Complete() }

func checkDefVectorMode(p *Pass) {
	t := p.Table
	n := len(t.Vectors.Items)
	if n > vectorLimit {
		p.Report(Finding{
			At:      t.Vectors.Items[vectorLimit].At,
			Message: fmt.Sprintf("the table has %d vector indexes; the limit is %d", n, vectorLimit),
			Numbers: []Number{{"vector_indexes", float64(n)}, {"limit", vectorLimit}},
		})
	}
	mode, ok := t.Billing.Get()
	gaps := listGaps("vector indexes", t.Vectors)
	if !ok {
		gaps = append(gaps, gap("billing mode", t.Billing))
	}
	if len(gaps) > 0 {
		p.Skip("", gaps...)
	}
	for _, v := range t.Vectors.Items {
		if ok && mode == table.Provisioned {
			name, _ := v.Name.Get()
			p.Report(Finding{
				Index: name, At: place(v.At, v.Name.At),
				Message: fmt.Sprintf("vector index %q is on a provisioned table; vector indexes need PAY_PER_REQUEST", name),
			})
		}
		checkSearchSchema(p, v)
	}
}

// checkSearchSchema reports search attributes without a definition.
func checkSearchSchema(p *Pass, v table.VectorIndex) {
	index, _ := v.Name.Get()
	gaps := append(listGaps("search schema", v.Search), listGaps("attribute definitions", p.Table.Attributes)...)
	defined := map[string]bool{}
	for _, d := range p.Table.Attributes.Items {
		if n, ok := d.Name.Get(); ok {
			defined[n] = true
		} else {
			gaps = append(gaps, gap("attribute definition name", d.Name))
		}
	}
	for _, a := range v.Search.Items {
		name, ok := a.Get()
		switch {
		case !ok:
			gaps = append(gaps, gap("search schema attribute", a))
		case !defined[name] && len(gaps) == 0:
			p.Report(Finding{
				Index: index, Attribute: name, At: place(a.At, v.At),
				Message: fmt.Sprintf("vector index %q searches %q, which is not in the attribute definitions", index, name),
				Fix:     fmt.Sprintf("Add %q to the attribute definitions.", name),
			})
		}
	}
	if len(gaps) > 0 && len(v.Search.Items) > 0 {
		p.Skip(index, gaps...)
	}
}
