package reports

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"ddbvet/cost"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
	"ddbvet/rules"
)

// document is a report's JSON as a reader outside the program sees it.
func document(t *testing.T, r Report) map[string]any {
	t.Helper()
	var b bytes.Buffer
	if err := JSON(&b, r, Style{}); err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(b.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// at walks a document: string steps are keys, int steps positions.
func at(t *testing.T, doc any, path ...any) any {
	t.Helper()
	for _, step := range path {
		switch s := step.(type) {
		case string:
			m, ok := doc.(map[string]any)
			if !ok {
				t.Fatalf("%v: no object", path)
			}
			if doc, ok = m[s]; !ok {
				t.Fatalf("%v: no key %q", path, s)
			}
		case int:
			doc = doc.([]any)[s]
		}
	}
	return doc
}

func expect(t *testing.T, doc any, want any, path ...any) {
	t.Helper()
	if diff := cmp.Diff(want, at(t, doc, path...)); diff != "" {
		t.Errorf("%v (-want +got):\n%s", path, diff)
	}
}

var place = source.Span{File: source.NewFile("t.yaml", []byte("a: 1\nb: 2\n")), Start: source.Pos{Line: 2, Col: 4}}

func wr[T any](v T) source.Value[T] { return source.Written(v, place) }

func attr(name, typ, role string) table.KeyElement {
	return table.KeyElement{Attribute: table.Attribute{Name: wr(name), Type: wr(typ)}, Role: wr(role)}
}

func orders() *table.Table {
	return &table.Table{
		At: place, LogicalName: "Orders", ResourceType: "AWS::DynamoDB::Table",
		Name:    source.Unresolved[string]("generated name", place),
		Key:     table.Key{Elements: []table.KeyElement{attr("id", "S", table.Hash), attr("at", "N", table.Range)}},
		Billing: wr(table.Provisioned), Capacity: table.Throughput{Read: wr(int64(5)), Write: source.Unresolved[int64]("!Ref W", place)},
		GSIs: source.List[*table.Index]{Items: []*table.Index{{
			Kind: table.GSI, Name: wr("byMail"), Projection: wr(table.ProjectionInclude),
			Key:    table.Key{Elements: []table.KeyElement{attr("a", "S", table.Hash), attr("b", "S", table.Hash), attr("c", "N", table.Range)}},
			NonKey: source.List[source.Value[string]]{Items: []source.Value[string]{wr("x")}},
		}}},
		LSIs: source.List[*table.Index]{Incomplete: "depends on condition IsProd"},
		PITR: source.Defaulted(false, place),
	}
}

func TestInspectContract(t *testing.T) {
	doc := document(t, Inspect([]*table.Table{orders()}, []*source.Diagnostic{source.Errorf(place, "no")}))
	expect(t, doc, "ddbvet/inspect/v1", "schema")
	one := at(t, doc, "tables", 0)
	expect(t, one, nil, "table_name")
	expect(t, one, map[string]any{"name": "id", "type": "S"}, "partition_key")
	expect(t, one, map[string]any{"name": "at", "type": "N"}, "sort_key")
	expect(t, one, 5.0, "rcu")
	expect(t, one, nil, "wcu")
	expect(t, one, "b", "gsis", 0, "partition_keys", 1, "name")
	expect(t, one, "N", "gsis", 0, "sort_keys", 0, "type")
	expect(t, one, []any{"x"}, "gsis", 0, "non_key_attributes")
	expect(t, one, nil, "lsis") // nothing certain is known of the list
	expect(t, one, false, "pitr")
	expect(t, one, nil, "stream_view") // absent, so not among the unresolved
	expect(t, one, []any{"table_name", "wcu", "lsis"}, "unresolved")
	expect(t, one, map[string]any{"file": "t.yaml", "line": 2.0, "column": 4.0}, "source")
	expect(t, doc, map[string]any{"file": "t.yaml", "line": 2.0, "column": 4.0, "message": "no"}, "errors", 0)
}

func TestLintContract(t *testing.T) {
	rule := &rules.Rule{ID: "item-large", Severity: rules.Warning, Doc: rules.Doc{Fix: "Part it."}}
	o := orders()
	res := rules.Result{
		Findings: []rules.Finding{{
			Rule: rule, Severity: rules.Error, Known: rules.Estimated, Table: o, Index: "byMail", Attribute: "x", Pattern: "list", At: place,
			Message: "too large", Fix: "Part it.", Numbers: []rules.Number{{Name: "bytes", Value: 409601}}, Monthly: cost.USD(decimal.RequireFromString("12.345")),
		}, {Rule: rule, Severity: rules.Note, Known: rules.Proven, Table: o, At: place}},
		Skips:    []rules.Skip{{Rule: rule, Table: o, Subject: "byMail", Needs: []string{"sizes"}}},
		Outcomes: []rules.Outcome{{Rule: rule, Table: o, State: rules.Fail}, {Rule: rule, Table: o, State: rules.Passed}, {Rule: rule, Table: o, State: rules.NotEvaluated}},
	}
	doc := document(t, Lint(Review{Tables: []*table.Table{o}, Result: res, PricesDate: "2025-08-28"}))
	expect(t, doc, "ddbvet/lint/v1", "schema")
	expect(t, doc, []any{"Orders"}, "tables")
	got := at(t, doc, "findings", 0).(map[string]any)
	delete(got, "fingerprint")
	want := map[string]any{
		"rule": "item-large", "severity": "error", "known": "estimated", "table": "Orders", "index": "byMail", "attribute": "x",
		"access_pattern": "list", "message": "too large", "numbers": map[string]any{"bytes": 409601.0}, "monthly_usd": 12.345,
		"fix": "Part it.", "file": "t.yaml", "line": 2.0, "column": 4.0,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("finding (-want +got):\n%s", diff)
	}
	expect(t, doc, nil, "findings", 1, "monthly_usd") // no price is not $0
	expect(t, doc, map[string]any{"rule": "item-large", "table": "Orders", "subject": "byMail", "needs": []any{"sizes"}}, "not_evaluated", 0)
	expect(t, doc, map[string]any{
		"tables": 1.0, "error": 1.0, "warning": 0.0, "note": 1.0, "passed": 1.0, "not_evaluated": 1.0, "unreadable": 0.0, "prices_date": "2025-08-28",
	}, "summary")
	expect(t, doc, []any{}, "checklist")
}

func TestEstimateContract(t *testing.T) {
	unit := decimal.RequireFromString("0.000000625")
	bill := cost.Bill{Region: "us-east-1", Total: cost.USD(decimal.RequireFromString("1.875")), Unknown: []string{"reads: no rate"}, Lines: []cost.Line{
		{Component: "writes", Class: "STANDARD", Unit: "request_unit", Quantity: decimal.NewFromInt(3_000_000), Known: true, UnitUSD: unit, Monthly: cost.USD(decimal.RequireFromString("1.875")), Pattern: "put", Index: "byMail"},
		{Component: "reads", Class: "STANDARD", Unit: "request_unit", UnitUSD: unit},
	}}
	unpriced := cost.Bill{Region: "us-east-1", Unknown: []string{"the billing mode is not known"}}
	r := Estimate([]TableBill{{"Orders", bill}, {"Later", unpriced}}, "2025-08-28", nil)
	doc := document(t, r)
	expect(t, doc, "ddbvet/estimate/v1", "schema")
	expect(t, doc, "us-east-1", "region")
	expect(t, doc, 1.875, "monthly_usd") // of what is known; what is not is named
	expect(t, doc, []any{"Orders: reads: no rate", "Later: the billing mode is not known"}, "unknown")
	expect(t, doc, nil, "tables", 1, "monthly_usd")
	expect(t, doc, 3000000.0, "tables", 0, "lines", 0, "quantity")
	expect(t, doc, 0.000000625, "tables", 0, "lines", 0, "unit_usd")
	expect(t, doc, "put", "tables", 0, "lines", 0, "access_pattern")
	expect(t, doc, nil, "tables", 0, "lines", 1, "quantity")
	expect(t, doc, nil, "tables", 0, "lines", 1, "monthly_usd")
	// An unknown line keeps its unit price in front of people as well.
	var b bytes.Buffer
	if err := Text(&b, r, Style{Width: 100}); err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(b.Bytes(), []byte("unknown  request unit   $0.625 /M  unknown")) || !bytes.Contains(b.Bytes(), []byte("$1.88 a month, without 2 unknown lines")) {
		t.Errorf("text:\n%s", b.String())
	}
}

func TestCapacityContract(t *testing.T) {
	usd := func(s string) cost.Range {
		m := cost.USD(decimal.RequireFromString(s))
		return cost.Range{Low: m, Expected: m, High: m}
	}
	now := cost.Option{Name: "on-demand", Mode: cost.ModeOnDemand, Class: table.Standard, Current: true, Monthly: usd("821.25")}
	to := cost.Option{
		Name: "auto-scaled 70 %", Mode: cost.ModeProvisioned, Class: table.Standard, Monthly: usd("339.27"),
		Settings: []cost.IndexSetting{
			{Read: cost.Setting{Units: 5}, Write: cost.Setting{Min: 1, Max: 858, Target: 70}},
			{Index: "byMail", Read: cost.Setting{Units: 1}, Write: cost.Setting{Units: 2}},
		},
	}
	bad := cost.Option{Name: "tight", Mode: cost.ModeProvisioned, Class: table.Standard, Monthly: usd("1"), ThrottledShare: 0.25, ThrottledMinutes: 12, Rejected: "throttles"}
	d := cost.Decision{
		Table: "orders", Region: "us-east-1", Verdict: cost.Switch, Current: &now, Recommended: &to, Best: &to,
		Options: []cost.Option{now, to, bad}, Saving: usd("481.98"), Reasons: []string{"switch to auto-scaled 70 %"},
	}
	other := cost.Decision{Table: "unknown", Region: "us-east-1", Verdict: cost.InsufficientData}
	doc := document(t, Capacity([]cost.Decision{d, other}, "2025-08-28", nil))
	expect(t, doc, "ddbvet/capacity/v1", "schema")
	one := at(t, doc, "tables", 0)
	expect(t, one, "switch", "verdict")
	expect(t, one, "on_demand", "current", "mode")
	expect(t, one, nil, "current", "write")
	expect(t, one, map[string]any{"min": 1.0, "max": 858.0, "target": 70.0}, "recommended", "write")
	expect(t, one, map[string]any{"units": 5.0}, "recommended", "read")
	expect(t, one, map[string]any{"units": 2.0}, "recommended", "indexes", "byMail", "write")
	expect(t, one, 339.27, "recommended", "monthly_usd", "expected")
	expect(t, one, "throttles", "options", 2, "rejected")
	expect(t, one, 0.25, "options", 2, "throttled_share")
	expect(t, one, 481.98, "saving_monthly_usd", "expected")
	if _, has := at(t, one, "options", 1).(map[string]any)["rejected"]; has {
		t.Error("an allowed option has no reason of rejection")
	}
	expect(t, doc, nil, "tables", 1, "current")
	expect(t, doc, nil, "tables", 1, "saving_monthly_usd", "expected")
	expect(t, doc, map[string]any{
		"current_monthly_usd": 821.25, "saving_monthly_usd": 481.98, "tables_without_current_cost": 1.0,
		"verdicts": map[string]any{"switch": 1.0, "insufficient_data": 1.0},
	}, "totals")
}
