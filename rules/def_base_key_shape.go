package rules

import (
	"fmt"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

var defBaseKeyShape = &Rule{
	ID: "def-base-key-shape", Severity: Error, Needs: Definition, Check: checkDefBaseKeyShape,
	Doc: Doc{
		Summary:   "the table's key is not one HASH attribute, optionally followed by one RANGE attribute",
		Why:       "CreateTable refuses any other key schema, so the deployment fails.",
		Fix:       "Give the table one HASH attribute first and at most one RANGE attribute after it; join several values into one attribute where needed.",
		Threshold: "exactly 1 HASH, at most 1 RANGE, HASH first, two different attributes",
		Source:    "DynamoDB API reference: CreateTable (KeySchema)",
		Since:     "0.1",
		Bad:       "KeySchema: [{AttributeName: createdAt, KeyType: RANGE}, {AttributeName: id, KeyType: HASH}]",
		Good:      "KeySchema: [{AttributeName: id, KeyType: HASH}, {AttributeName: createdAt, KeyType: RANGE}]",
	},
}

func checkDefBaseKeyShape(p *Pass) {
	k := p.Table.Key
	if gaps := roleGaps(k); len(gaps) > 0 {
		p.Skip("", gaps...)
		return
	}
	if !reportBadRoles(p, nil, k) {
		return
	}
	hash, sort := k.Partition(), k.Sort()
	if len(hash) == 0 {
		p.Report(Finding{
			At:      place(k.At, p.Table.At),
			Message: "the table's key has no HASH attribute; it needs exactly 1",
			Numbers: []Number{{"hash_attributes", 0}},
		})
	}
	reportRepeat(p, nil, k)
	if len(hash) > 1 {
		reportExtra(p, hash[1], table.Hash, len(hash))
	}
	if len(sort) > 1 {
		reportExtra(p, sort[1], table.Range, len(sort))
	}
	if first := k.Elements[:min(1, len(k.Elements))]; len(hash) > 0 && len(first) > 0 && source.Is(first[0].Role, table.Range) {
		name, _ := first[0].Name.Get()
		p.Report(Finding{
			Attribute: name, At: place(first[0].At, first[0].Name.At),
			Message: fmt.Sprintf("the key schema begins with RANGE attribute %q; its first element must be the HASH attribute", name),
			Fix:     "Put the HASH element before the RANGE element.",
		})
	}
}

// reportRepeat reports an attribute that stands twice in one key schema, which
// DynamoDB refuses for tables and indexes alike.
func reportRepeat(p *Pass, ix *table.Index, k table.Key) {
	seen := map[string]bool{}
	for _, e := range k.Elements {
		name, ok := e.Name.Get()
		if !ok || !seen[name] {
			seen[name] = ok
			continue
		}
		use := keyUse{Index: ix}
		p.Report(Finding{
			Index: use.indexName(), Attribute: name, At: place(e.At, e.Name.At),
			Message: fmt.Sprintf("the key of %s has the attribute %q twice", use.owner(), name),
			Fix:     "Name another attribute, or leave it out.",
		})
		return
	}
}

func reportExtra(p *Pass, a table.Attribute, role table.Role, n int) {
	name, _ := a.Name.Get()
	p.Report(Finding{
		Attribute: name, At: place(a.At, a.Name.At),
		Message: fmt.Sprintf("the table's key has %d %s attributes, %q among them; a table takes at most 1", n, role, name),
		Fix:     "Join the values into one attribute on the table, or move the multi-attribute key to a global secondary index.",
		Numbers: []Number{{"attributes", float64(n)}, {"limit", 1}},
	})
}

// reportBadRoles reports elements whose role is neither HASH nor RANGE and
// tells whether the schema is free of them.
func reportBadRoles(p *Pass, ix *table.Index, k table.Key) bool {
	fine := true
	for _, e := range k.Elements {
		role, ok := e.Role.Get()
		if !ok || role == table.Hash || role == table.Range {
			continue
		}
		fine = false
		name, _ := e.Name.Get()
		p.Report(Finding{
			Index: keyUse{Index: ix}.indexName(), Attribute: name, At: place(e.Role.At, e.At),
			Message: fmt.Sprintf("key type %q of %q is neither HASH nor RANGE", role, name),
			Fix:     "Write HASH for the partition key and RANGE for the sort key.",
		})
	}
	return fine
}
