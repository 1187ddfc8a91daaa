package rules

import (
	"fmt"
	"slices"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

var defAttrMismatch = &Rule{
	ID: "def-attr-mismatch", Severity: Error, Needs: Definition, Check: checkDefAttrMismatch,
	Doc: Doc{
		Summary:   "AttributeDefinitions and the key attributes differ",
		Why:       "CreateTable refuses a key attribute without a definition and a definition that no key uses; Terraform plans the unused one again and again.",
		Fix:       "Define exactly the attributes that are keys of the table or of an index; DynamoDB is schemaless, so no other attribute is listed.",
		Threshold: "every key attribute defined, every definition used by a key",
		Source:    "DynamoDB API reference: CreateTable (AttributeDefinitions)",
		Since:     "0.1",
		Bad:       "AttributeDefinitions: [{AttributeName: id, AttributeType: S}, {AttributeName: email, AttributeType: S}]\nKeySchema: [{AttributeName: id, KeyType: HASH}]",
		Good:      "AttributeDefinitions: [{AttributeName: id, AttributeType: S}]\nKeySchema: [{AttributeName: id, KeyType: HASH}]",
	},
}

func checkDefAttrMismatch(p *Pass) {
	t := p.Table
	uses := keyUses(t)
	if t.Attributes.Complete() && len(t.Attributes.Items) == 0 && typedElsewhere(uses) {
		return // the format gives types with the keys and has no definitions
	}
	undefinable := listGaps("attribute definitions", t.Attributes)
	defined := map[string]bool{}
	for _, d := range t.Attributes.Items {
		if n, ok := d.Name.Get(); ok {
			if defined[n] {
				p.Report(Finding{
					Attribute: n, At: place(d.Name.At, d.At), Message: fmt.Sprintf("attribute %q is defined twice", n),
					Fix: fmt.Sprintf("Define %q once, with the type that its keys have.", n),
				})
			}
			defined[n] = true
		} else {
			undefinable = append(undefinable, gap("attribute definition name", d.Name))
		}
	}
	unusable := append(keyGaps(t), vectorGaps(t)...)
	if gaps := slices.Concat(undefinable, unusable); len(gaps) > 0 {
		p.Skip("", gaps...)
	}
	if len(undefinable) == 0 {
		reportUndefined(p, uses, defined)
	}
	if len(unusable) == 0 {
		reportUnused(p, uses)
	}
}

// typedElsewhere tells whether the source gave a type to some key attribute.
func typedElsewhere(uses []keyUse) bool {
	for _, u := range uses {
		if u.Type.Known() {
			return true
		}
	}
	return false
}

// vectorGaps says why the attributes that vector indexes search are not known.
func vectorGaps(t *table.Table) []string {
	gaps := listGaps("vector indexes", t.Vectors)
	for _, v := range t.Vectors.Items {
		gaps = append(gaps, listGaps("search schema", v.Search)...)
		for _, a := range v.Search.Items {
			if !a.Known() {
				gaps = append(gaps, gap("search schema attribute", a))
			}
		}
	}
	return gaps
}

func reportUndefined(p *Pass, uses []keyUse, defined map[string]bool) {
	seen := map[string]bool{}
	for _, u := range uses {
		n, ok := u.Name.Get()
		if id := u.indexName() + "\x00" + n; !ok || defined[n] || seen[id] {
			continue
		}
		seen[u.indexName()+"\x00"+n] = true
		p.Report(Finding{
			Index: u.indexName(), Attribute: n,
			At:      place(u.Name.At, u.At),
			Message: fmt.Sprintf("%q is a key attribute of %s and is not in the attribute definitions", n, u.owner()),
			Fix:     fmt.Sprintf("Add %q with its type (S, N or B) to the attribute definitions.", n),
		})
	}
}

func reportUnused(p *Pass, uses []keyUse) {
	used := map[string]bool{}
	for _, u := range uses {
		if n, ok := u.Name.Get(); ok {
			used[n] = true
		}
	}
	for _, v := range p.Table.Vectors.Items {
		for _, a := range v.Search.Items {
			if n, ok := a.Get(); ok {
				used[n] = true
			}
		}
	}
	for _, d := range p.Table.Attributes.Items {
		n, ok := d.Name.Get()
		if !ok || used[n] {
			continue
		}
		used[n] = true
		msg := fmt.Sprintf("attribute %q is defined and is no key of the table or of an index; DynamoDB is schemaless: list only key attributes", n)
		if source.Is(p.Table.TTL.Attribute, n) {
			msg += ", a ttl attribute needs no definition"
		}
		p.Report(Finding{
			Attribute: n, At: place(d.Name.At, d.At), Message: msg,
			Fix: fmt.Sprintf("Remove %q from the attribute definitions; items may carry it all the same.", n),
		})
	}
}
