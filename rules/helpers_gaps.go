package rules

import (
	"fmt"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// gap says why a value that is not known cannot decide, in the form of Skip.
func gap[T any](what string, v source.Value[T]) string {
	if v.Unresolved() {
		return fmt.Sprintf("%s (unresolved: %s)", what, v.Why)
	}
	return what + " (not stated)"
}

// listGaps says why a list may be longer than what is known of it.
func listGaps[T any](what string, l source.List[T]) []string {
	if l.Complete() {
		return nil
	}
	return []string{fmt.Sprintf("%s (unresolved: %s)", what, l.Incomplete)}
}

// gsis are the global indexes that are known; that there may be others is
// skipped.
func (p *Pass) gsis() []*table.Index {
	if gaps := listGaps("gsis", p.Table.GSIs); len(gaps) > 0 {
		p.Skip("", gaps...)
	}
	return p.Table.GSIs.Items
}

// keyedGSIs are the global indexes whose key schema is known; the others are
// skipped.
func (p *Pass) keyedGSIs() (out []*table.Index) {
	for _, ix := range p.gsis() {
		if ix.Key.Complete() {
			out = append(out, ix)
		} else {
			p.Skip(ix.DisplayName(), "the index's key schema")
		}
	}
	return out
}

// roleGaps says why the roles of a key schema are not all known.
func roleGaps(k table.Key) []string {
	return schemaGaps(k, "key type", func(e table.KeyElement) source.Value[table.Role] { return e.Role })
}

// nameGaps says why the attribute names of a key schema are not all known.
func nameGaps(k table.Key) []string {
	return schemaGaps(k, "key attribute name", func(e table.KeyElement) source.Value[string] { return e.Name })
}

func schemaGaps(k table.Key, what string, of func(table.KeyElement) source.Value[string]) (gaps []string) {
	if k.Incomplete != "" {
		gaps = append(gaps, fmt.Sprintf("key schema (unresolved: %s)", k.Incomplete))
	}
	for _, e := range k.Elements {
		if v := of(e); !v.Known() {
			gaps = append(gaps, gap(what, v))
		}
	}
	return gaps
}

// indexGaps says why the table may have indexes that are not known.
func indexGaps(t *table.Table) []string {
	return append(listGaps("gsis", t.GSIs), listGaps("lsis", t.LSIs)...)
}

// keyUse is one attribute's place in a key schema; Index is nil for the table.
type keyUse struct {
	Index *table.Index
	table.KeyElement
}

// indexName is the index's name, or "" for the table's own key.
func (u keyUse) indexName() string {
	if u.Index == nil {
		return ""
	}
	return u.Index.DisplayName()
}

// owner names the schema in a message: the table or index "x".
func (u keyUse) owner() string {
	if u.Index == nil {
		return "the table"
	}
	return fmt.Sprintf("index %q", u.Index.DisplayName())
}

// keyUses lists the known key elements of the table and its indexes.
func keyUses(t *table.Table) (uses []keyUse) {
	for _, e := range t.Key.Elements {
		uses = append(uses, keyUse{nil, e})
	}
	for _, ix := range t.Indexes() {
		for _, e := range ix.Key.Elements {
			uses = append(uses, keyUse{ix, e})
		}
	}
	return uses
}

// keyGaps says why not every key attribute of the table is known by name.
func keyGaps(t *table.Table) []string {
	gaps := append(nameGaps(t.Key), indexGaps(t)...)
	for _, ix := range t.Indexes() {
		gaps = append(gaps, nameGaps(ix.Key)...)
	}
	return gaps
}

// place is the first of the spans that is known.
func place(spans ...source.Span) source.Span {
	for _, s := range spans {
		if s.Known() {
			return s
		}
	}
	return source.Span{}
}

// plural is "1 index" or "3 indexes".
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
