package rules

import (
	"fmt"
	"slices"
	"strings"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

var ttlAttrType = &Rule{
	ID: "ttl-attr-type", Severity: Error, Needs: Definition, Applies: mayExpire, Check: checkTTLAttrType,
	Doc: Doc{
		Summary:   "the time to live attribute is not a number",
		Why:       "DynamoDB reads it as epoch seconds in type N and ignores every other type: the items never expire and storage grows.",
		Fix:       "Store the expiry as a Number of epoch seconds.",
		Threshold: "type N",
		Source:    "DynamoDB developer guide: time-to-live-ttl-before-you-start",
		Since:     "0.1",
		Bad:       "[[table]]\nname = \"Sessions\"\npartition_key = \"sessionId:S\"\nttl = \"expiresAt\"\n[[table.entity]]\nname = \"Session\"\nattributes = { expiresAt = \"S\" }",
		Good:      "[[table]]\nname = \"Sessions\"\npartition_key = \"sessionId:S\"\nttl = \"expiresAt\"\n[[table.entity]]\nname = \"Session\"\nattributes = { expiresAt = \"N\" }",
	},
}

// mayExpire tells whether time to live is or may be on.
func mayExpire(t *table.Table) bool {
	return !source.Is(t.TTL.Enabled, false) && !t.TTL.Attribute.Absent() || source.Is(t.TTL.Enabled, true)
}

func checkTTLAttrType(p *Pass) {
	t := p.Table
	name, ok := t.TTL.Attribute.Get()
	if !ok {
		p.Skip("", gap("ttl attribute", t.TTL.Attribute))
		return
	}
	if t.TTL.Enabled.Unresolved() {
		p.Skip(name, gap("whether ttl is enabled", t.TTL.Enabled))
		return
	}
	var f Finding
	var faults []string
	typed := false
	for _, d := range ttlTypes(t, name) {
		typ, ok := d.typ.Get()
		switch {
		case d.typ.Unresolved():
			p.Skip(name, gap(fmt.Sprintf("type of %s in %s", name, d.where), d.typ))
			typed = true
		case ok && typ != "N":
			if len(faults) == 0 {
				f = Finding{Attribute: name, At: place(d.typ.At, d.at)}
			}
			if fault := fmt.Sprintf("%s in %s", typ, d.where); !slices.Contains(faults, fault) {
				faults = append(faults, fault)
			}
		}
		typed = typed || ok
	}
	if len(faults) > 0 {
		f.Message = fmt.Sprintf("ttl attribute %q is of type %s; ttl reads only type N and ignores the rest", name, strings.Join(faults, " and "))
		p.Report(f)
	}
	if !typed {
		p.Skip(name, fmt.Sprintf("the type of %s on items (a declared entity attribute or sampled items)", name))
	}
}

// ttlType is one place that gives the attribute a type.
type ttlType struct {
	where string
	typ   source.Value[table.Type]
	at    source.Span
}

func ttlTypes(t *table.Table, name string) (out []ttlType) {
	for _, d := range t.Attributes.Items {
		if source.Is(d.Name, name) {
			out = append(out, ttlType{"the attribute definitions", d.Type, d.At})
		}
	}
	for _, e := range t.Entities.Items {
		if a := e.Attribute(name); a != nil {
			entity, _ := e.Name.Get()
			out = append(out, ttlType{fmt.Sprintf("entity %q", entity), a.Type, a.At})
		}
	}
	return out
}
