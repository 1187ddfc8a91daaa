package rules

import (
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

var itemUnboundedList = &Rule{
	ID:       "item-unbounded-list",
	Severity: Warning,
	Needs:    Data,
	Check:    checkItemUnboundedList,
	Doc: Doc{
		Summary:   "an attribute grows without a stated end",
		Why:       "Each append rewrites and bills the whole item, dearer every time, until the item meets 400 KB and writes are refused.",
		Fix:       "Keep the elements as items of their own under the parent's partition key, or state the most there can be (max_elements, times).",
		Threshold: "an attribute declared unbounded, or appended to without a number of times",
		Source:    "DynamoDB Developer Guide, \"Best practices for storing large items and attributes\" and \"Constraints in DynamoDB\"",
		Since:     "0.1",
		Bad:       "attributes = { comments = { type = \"L\", element_size = \"500B\", unbounded = true } }",
		Good:      "attributes = { comments = { type = \"L\", element_size = \"500B\", max_elements = 20 } }",
	},
}

func checkItemUnboundedList(p *Pass) {
	appended := map[string]bool{}
	for _, g := range p.growths() {
		appended[g.attribute] = true
		if g.bounded {
			continue
		}
		f := Finding{
			Known: Estimated, At: g.pattern.Appends.At, Pattern: patternName(g.pattern), Attribute: g.attribute,
			Message: "access pattern " + quoted(patternName(g.pattern)) + " appends " + byteSize(g.step-1) + " to " + quoted(g.attribute) +
				" without a stated end; the item passes 400 KB at append " + number(g.crossing()),
			Numbers: []Number{{"crossing_append", g.crossing()}, {"limit_bytes", maxItem}},
		}
		if g.entity != nil {
			f.Entity = entityName(g.entity)
		}
		p.Report(f)
	}
	for _, e := range p.Table.Entities.Items {
		p.unboundedOf(e, appended)
	}
}

func (p *Pass) unboundedOf(e *table.Entity, appended map[string]bool) {
	if len(e.Attributes) == 0 {
		p.Skip(entityName(e), "the attributes of "+quoted(entityName(e)))
	}
	for i := range e.Attributes {
		a := &e.Attributes[i]
		switch {
		case a.Unbounded.Unresolved():
			p.Skip(entityName(e), "whether "+quoted(a.Name)+" is unbounded")
		case source.Is(a.Unbounded, true) && !appended[a.Name]:
			msg := "attribute " + quoted(a.Name) + " of " + quoted(entityName(e)) + " grows without a stated end (an item holds 400 KB)"
			var nums []Number
			if n, ok := a.Element.Get(); ok && n > 0 {
				most := float64(maxItem / (n + 1))
				msg += "; at " + byteSize(float64(n)) + " an element at most " + number(most) + " fit"
				nums = append(nums, Number{"most_elements", most})
			}
			p.Report(Finding{
				Known: Estimated, At: a.At, Attribute: a.Name, Entity: entityName(e), Message: msg, Numbers: nums,
			})
		}
	}
}
