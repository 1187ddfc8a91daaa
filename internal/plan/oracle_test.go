package plan

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"ddbvet/internal/table"
)

// Key conditions of the oracle: each attribute absent, by equality or by one
// of six ranges. Two are the partition key, three the sort key.
var (
	keyAttributes = []string{"a", "b", "x", "y", "z"}
	keyForms      = []string{"", "%s = :v", "%s < :v", "%s <= :v", "%s > :v", "%s >= :v", "%s BETWEEN :v AND :w", "begins_with(%s, :v)"}

	validRE        = regexp.MustCompile(`^==(=*R?)-*$`)
	gapRE          = regexp.MustCompile(`-+[=R]`)
	rangeNotLastRE = regexp.MustCompile(`R-*[=R]`)
)

// oracle walks all key conditions. A shape has a sign for each attribute: -
// absent, = equality, R range.
type oracle struct {
	tbl           *table.Table
	total, served atomic.Int64
}

// TestMultiAttributeRulesExhaustively compares the planner with a predicate
// over all conditions on two partition and three sort attributes. A key
// condition is valid when both partition attributes have equality and the sort
// side reads as equalities, then at most one range, then nothing.
func TestMultiAttributeRulesExhaustively(t *testing.T) {
	o := oracle{tbl: newTable("id", gsi("g", "a,b / x,y,z", "ALL"))}
	t.Run("first", func(t *testing.T) {
		for form := range keyForms {
			t.Run(fmt.Sprintf("form %d", form), func(t *testing.T) {
				t.Parallel()
				o.extend(t, form, "", nil)
			})
		}
	})
	// Sort sides that are valid: 0, 1, 2 or 3 equalities (4) and a range behind
	// 0, 1 or 2 of them (3 times six operators).
	if total, served := o.total.Load(), o.served.Load(); total != 8*8*8*8*8-1 || served != 4+3*6 {
		t.Errorf("%d conditions, %d served; want %d and 22", total, served, 8*8*8*8*8-1)
	}
}

// extend puts the next attribute in a form and walks all that may follow.
func (o *oracle) extend(t *testing.T, form int, shape string, conds []string) {
	switch form {
	case 0:
		shape += "-"
	case 1:
		shape += "="
	default:
		shape += "R"
	}
	if form > 0 {
		conds = append(slices.Clip(conds), fmt.Sprintf(keyForms[form], keyAttributes[len(shape)-1]))
	}
	if len(shape) == len(keyAttributes) {
		o.check(t, shape, conds)
		return
	}
	for next := range keyForms {
		o.extend(t, next, shape, conds)
	}
}

func (o *oracle) check(t *testing.T, shape string, conds []string) {
	if len(conds) == 0 {
		return
	}
	o.total.Add(1)
	r := Pattern(o.tbl, pat("Query", "index=g", "key="+strings.Join(conds, " AND ")))
	if got := r.State == Served; got != validRE.MatchString(shape) {
		t.Fatalf("%s: planner says %s (%s), the rule says %v", strings.Join(conds, " AND "), r.State, summary(r), !got)
	}
	if r.State == Served {
		o.served.Add(1)
		return
	}
	checkKinds(t, shape, r)
}

// checkKinds tells what each kind of fault means by the shape alone.
func checkKinds(t *testing.T, shape string, r Result) {
	sort := shape[2:]
	wants := map[FaultKind]bool{
		PartitionMissing: shape[:2] != "==",
		SortGap:          gapRE.MatchString(sort),
		RangeNotLast:     rangeNotLastRE.MatchString(sort),
	}
	got := map[FaultKind]bool{}
	for _, f := range r.Faults {
		got[f.Kind] = true
	}
	for kind, w := range wants {
		if got[kind] != w {
			t.Fatalf("shape %s: %s reported %v, want %v (%s)", shape, kind, got[kind], w, summary(r))
		}
	}
}

// TestTemplatesAgainstStrings compares template matching with the strings that
// short templates can make over a small alphabet. An attribute that both name
// has a value of its own, which no literal happens to spell.
func TestTemplatesAgainstStrings(t *testing.T) {
	texts := []string{
		"a", "ab", "{x}", "a#{x}", "{x}#a", "{x}#{y}", "a#", "{x}#{y}#b", "b#{z}", "#{x}", "{z}", "a{x}", "{y}",
	}
	values := map[bool][]string{true: {"a", "b", "ab", "a#b"}, false: {"a", "b", "ab"}}
	for _, g := range texts {
		for _, k := range texts {
			given, key := parseTemplate(g), parseTemplate(k)
			equal, prefix := false, false
			expand(given, key, values, map[string]string{}, func(a, b string) {
				equal = equal || a == b
				prefix = prefix || strings.HasPrefix(b, a)
			})
			if got := matches(given, key, false); equal && !got {
				t.Errorf("%q can equal %q, and matching denies it", g, k)
			}
			if got := matches(given, key, true); prefix && !got {
				t.Errorf("%q can begin %q, and matching denies it", g, k)
			}
		}
	}
	for _, c := range []struct {
		given, key    string
		equal, prefix bool
	}{
		{"topic", "topic#{shard}", false, true},
		{"{topic}", "{topic}#{shard}", false, true},
		{"ORDER#", "ORDER#{orderId}", false, true},
		{"ORDER#17", "ORDER#{orderId}", true, true},
		{"ORDER#{id}", "ORDER#{orderId}", true, true},
		{"USER#{userId}", "ORDER#{orderId}", false, false},
		{"{userId}", "USER#{userId}", false, false},
		{"ORDER-2024-06-01", "ORDER-{day}", true, true},
		{"USER#{id}", "USER#{company}#{user}", false, true},
		{"{type}#{status}#{yyyy-mm}", "{type}#{status}#{yyyy-mm-dd}", true, true},
		{"PROFILE", "PROFILE", true, true},
		{"PROFILES", "PROFILE", false, false},
	} {
		g, k := parseTemplate(c.given), parseTemplate(c.key)
		if matches(g, k, false) != c.equal || matches(g, k, true) != c.prefix {
			t.Errorf("%q against %q: equal %v prefix %v", c.given, c.key, matches(g, k, false), matches(g, k, true))
		}
	}
}

// expand makes all pairs of strings; attributes that both name are the same.
func expand(given, key template, values map[bool][]string, set map[string]string, f func(a, b string)) {
	for _, side := range []template{given, key} {
		for _, name := range side.attributes() {
			if _, ok := set[name]; ok {
				continue
			}
			choice := values[!given.has(name)]
			if given.has(name) && key.has(name) {
				choice = []string{"p"}
			}
			for _, v := range choice {
				set[name] = v
				expand(given, key, values, set, f)
			}
			delete(set, name)
			return
		}
	}
	render := func(t template) (s string) {
		for _, p := range t {
			if p.Attr {
				s += set[p.Text]
			} else {
				s += p.Text
			}
		}
		return s
	}
	f(render(given), render(key))
}
