package rules

import (
	"fmt"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// The bounds of names: characters of tables and indexes, bytes of key and
// listed attributes.
const (
	nameLeast    = 3
	nameMost     = 255
	keyNameBytes = 255
)

var defNameInvalid = &Rule{
	ID: "def-name-invalid", Severity: Error, Needs: Definition, Check: checkDefNameInvalid,
	Doc: Doc{
		Summary:   "a table, index or key attribute name that DynamoDB refuses",
		Why:       "The name is validated at creation, so the deployment fails.",
		Fix:       "Use 3 to 255 of a-z, A-Z, 0-9, underscore, dot and hyphen; keep key attribute names under 256 bytes.",
		Threshold: "tables and indexes 3 to 255 of [a-zA-Z0-9_.-]; attributes in keys and projection lists at most 255 bytes",
		Source:    "DynamoDB developer guide: Constraints (naming rules)",
		Since:     "0.1",
		Bad:       "[[table]]\nname = \"my orders\"\npartition_key = \"id:S\"",
		Good:      "[[table]]\nname = \"my-orders\"\npartition_key = \"id:S\"",
	},
}

func checkDefNameInvalid(p *Pass) {
	t := p.Table
	if gaps := append(keyGaps(t), listGaps("vector indexes", t.Vectors)...); len(gaps) > 0 {
		p.Skip("", gaps...)
	}
	switch {
	case t.Name.Unresolved() && t.Name.Why == table.GeneratedName: // certain to be valid
	case t.Name.Unresolved():
		p.Skip("", gap("table name", t.Name))
	case t.Name.Known():
		checkName(p, "table", "", t.Name)
	}
	for _, ix := range t.Indexes() {
		if !ix.Name.Known() {
			p.Skip("", gap("index name", ix.Name))
			continue
		}
		checkName(p, "index", ix.DisplayName(), ix.Name)
		for _, a := range ix.NonKey.Items {
			checkAttributeName(p, ix.DisplayName(), a)
		}
	}
	for _, v := range t.Vectors.Items {
		if n, ok := v.Name.Get(); ok {
			checkName(p, "vector index", n, v.Name)
		} else {
			p.Skip("", gap("index name", v.Name))
		}
	}
	seen := map[string]bool{}
	for _, u := range keyUses(t) {
		if n, ok := u.Name.Get(); ok && !seen[n] {
			seen[n] = true
			checkAttributeName(p, u.indexName(), u.Name)
		}
	}
}

func checkName(p *Pass, what, index string, v source.Value[string]) {
	name, _ := v.Get()
	f := Finding{Index: index, At: v.At}
	n := len(name)
	bad, at := firstBadRune(name)
	switch {
	case at > 0:
		f.Message = fmt.Sprintf("%s name %q has %q at position %d; only a-z, A-Z, 0-9, _, . and - are valid", what, shorten(name), bad, at)
		f.Numbers = []Number{{"position", float64(at)}}
	case n < nameLeast || n > nameMost:
		f.Message = fmt.Sprintf("%s name %q has %s; it takes %d to %d", what, shorten(name), counted(float64(n), "character"), nameLeast, nameMost)
		f.Numbers = []Number{{"characters", float64(n)}, {"least", nameLeast}, {"limit", nameMost}}
	default:
		return
	}
	p.Report(f)
}

// firstBadRune returns the first character that names may not hold and its
// position from 1; position 0 means that there is none.
func firstBadRune(name string) (rune, int) {
	at := 0
	for _, r := range name {
		at++
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '.', r == '-':
		default:
			return r, at
		}
	}
	return 0, 0
}

func checkAttributeName(p *Pass, index string, v source.Value[string]) {
	name, ok := v.Get()
	if !ok || len(name) > 0 && len(name) <= keyNameBytes {
		return
	}
	p.Report(Finding{
		Index: index, Attribute: name, At: v.At,
		Message: fmt.Sprintf("attribute name %q has %d bytes; in keys and projection lists it takes 1 to %d", shorten(name), len(name), keyNameBytes),
		Numbers: []Number{{"bytes", float64(len(name))}, {"limit", keyNameBytes}},
	})
}

// shorten cuts a name for a message.
func shorten(name string) string {
	if r := []rune(name); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return name
}
