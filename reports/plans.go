package reports

import (
	"encoding/json"
	"strings"

	"github.com/shopspring/decimal"

	"ddbvet/cost"
	"ddbvet/internal/plan"
	"ddbvet/internal/table"
)

// patternJSON is how one access pattern meets its table. Units are of one
// call: of the table and of all indexes it writes.
type patternJSON struct {
	Table      string       `json:"table"`
	Pattern    string       `json:"access_pattern"`
	State      string       `json:"state"`
	Index      string       `json:"index"`
	Method     string       `json:"method"`
	Condition  string       `json:"condition"`
	Queries    *json.Number `json:"queries"`
	Items      *json.Number `json:"items"`
	ReadUnits  *json.Number `json:"read_units"`
	WriteUnits *json.Number `json:"write_units"`
	Faults     []string     `json:"faults"`
	Needs      []string     `json:"needs"`
}

func patternDocs(r Review) []patternJSON {
	out := []patternJSON{}
	for _, t := range r.Tables {
		plans := r.Result.Plans[t]
		for i := range plans {
			out = append(out, patternDoc(t, &plans[i]))
		}
	}
	return out
}

func patternDoc(t *table.Table, r *plan.Result) patternJSON {
	name, _ := r.Pattern.Name.Get()
	method, _ := r.Pattern.Operation.Get()
	doc := patternJSON{Table: t.DisplayName(), Pattern: name, State: string(r.State), Method: method, Faults: []string{}, Needs: notNil(r.Needs)}
	for _, f := range r.Faults {
		doc.Faults = append(doc.Faults, f.Message)
	}
	if a := r.Access; a != nil {
		doc.Method, doc.Condition = a.Method, a.Condition
		if a.Index != nil {
			doc.Index = a.Index.DisplayName()
		}
		doc.Queries = number(a.Queries)
	}
	if n, ok := r.Evaluated.Get(); ok {
		doc.Items = number(n)
	}
	if r.State == plan.Served {
		if read, write, known := cost.Consume(t, r).Units(); known {
			doc.ReadUnits, doc.WriteUnits = number(read), number(write)
		}
	}
	return doc
}

func number(f float64) *json.Number {
	n := jsonFloat(f)
	return &n
}

// planBlocks is one table a reviewed table that declares patterns: how each
// is served and what one call takes.
func planBlocks(r Review) (blocks []Block) {
	for _, t := range r.Tables {
		plans := r.Result.Plans[t]
		if len(plans) == 0 {
			continue
		}
		tab := Table{
			Head:  []string{"access pattern", "served by", "how", "items", "units"},
			Right: []bool{false, false, false, true, true},
		}
		for i := range plans {
			tab.Rows = append(tab.Rows, planRow(patternDoc(t, &plans[i])))
		}
		blocks = append(blocks, Heading{1, "Access patterns of " + t.DisplayName()}, tab)
	}
	return blocks
}

func planRow(p patternJSON) []Cell {
	switch plan.State(p.State) {
	case plan.Unserved:
		return []Cell{{Text: p.Pattern}, {"not served", Bad}, {first(p.Faults), Plain}, {}, {}}
	case plan.Unknown:
		return []Cell{{Text: p.Pattern}, {"unknown", Dim}, {"needs " + first(p.Needs), Dim}, {}, {}}
	}
	by := "table"
	if p.Index != "" {
		by = p.Index
	}
	how := p.Method
	if p.Condition != "" {
		how += " " + p.Condition
	}
	return []Cell{{Text: p.Pattern}, {by, Good}, {Text: how}, {Text: text(p.Items, shown)}, {Text: unitsText(p)}}
}

func first(list []string) string {
	if len(list) == 0 {
		return "?"
	}
	return list[0]
}

func shown(n json.Number) string {
	d, err := decimal.NewFromString(n.String())
	if err != nil {
		return n.String()
	}
	s := grouped(d.Round(1))
	if strings.Contains(s, ".") {
		s = strings.TrimSuffix(s, "0")
	}
	return s
}

// unitsText is what one call takes: read units, write units, or unknown.
func unitsText(p patternJSON) string {
	if p.ReadUnits == nil {
		return "unknown"
	}
	read, write := shown(*p.ReadUnits), shown(*p.WriteUnits)
	switch {
	case write == "0":
		return read + " R"
	case read == "0":
		return write + " W"
	}
	return read + " R " + write + " W"
}
