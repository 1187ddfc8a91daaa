package rules

import "fmt"

var defKeyType = &Rule{
	ID: "def-key-type", Severity: Error, Needs: Definition, Check: checkDefKeyType,
	Doc: Doc{
		Summary:   "a key attribute is not of type S, N or B",
		Why:       "DynamoDB refuses key attributes of any other type, so the deployment fails.",
		Fix:       "Store the key value as a string (S), a number (N) or binary (B).",
		Threshold: "S, N or B",
		Source:    "DynamoDB developer guide: Constraints (key attribute data types)",
		Since:     "0.1",
		Bad:       "[[table]]\nname = \"Flags\"\npartition_key = \"enabled:BOOL\"",
		Good:      "[[table]]\nname = \"Flags\"\npartition_key = \"flagId:S\"",
	},
}

func checkDefKeyType(p *Pass) {
	if gaps := keyGaps(p.Table); len(gaps) > 0 {
		p.Skip("", gaps...)
	}
	seen := map[string]bool{}
	for _, u := range keyUses(p.Table) {
		name, ok := u.Name.Get()
		if !ok || seen[name] {
			continue
		}
		seen[name] = true
		typ, ok := u.Type.Get()
		switch {
		case !ok:
			p.Skip(name, gap(fmt.Sprintf("type of %s", name), u.Type))
		case typ != "S" && typ != "N" && typ != "B":
			p.Report(Finding{
				Attribute: name, At: place(u.Type.At, u.At),
				Message: fmt.Sprintf("key attribute %q has type %q; a key attribute is S, N or B", name, typ),
			})
		}
	}
}
