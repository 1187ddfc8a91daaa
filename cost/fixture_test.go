package cost

import (
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"os"
	"strconv"
	"testing"
	"time"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// monday is the clock's start in tests: Monday 2026-11-02 00:00 UTC.
const monday = 1793577600

const region = "us-east-1"

func written[T any](v T) source.Value[T] { return source.Written(v, source.Span{}) }

func throughput(read, write int64) table.Throughput {
	return table.Throughput{Read: written(read), Write: written(write)}
}

// onDemandTable is an on-demand table without indexes and without a size.
func onDemandTable() *table.Table {
	return &table.Table{LogicalName: "t", Billing: written(table.PayPerRequest), Class: written(table.Standard)}
}

func fixedTable(read, write int64) *table.Table {
	t := onDemandTable()
	t.Billing, t.Capacity = written(table.Provisioned), throughput(read, write)
	return t
}

func scaledTable(lo, hi int64) *table.Table {
	t := fixedTable(lo, lo)
	s := written(table.ScalingTarget{Min: written(lo), Max: written(hi), Percent: written(70.0)})
	t.Scaling = table.AutoScaling{Read: s, Write: s}
	return t
}

// points are one-minute Sums of units a second; NaN is a gap.
func points(units []float64) (out []table.Point) {
	for m, u := range units {
		if !math.IsNaN(u) {
			out = append(out, table.Point{Start: monday + int64(m)*60, Period: 60, Value: u * 60})
		}
	}
	return out
}

func sums(metric string, units []float64) table.Series {
	return table.Series{Metric: metric, Statistic: "Sum", Points: points(units)}
}

// metrics are consumed reads and writes of a table; nil is no such series.
func metrics(read, write []float64) *table.Metrics {
	var m table.Metrics
	if read != nil {
		m.Series = append(m.Series, sums("ConsumedReadCapacityUnits", read))
	}
	if write != nil {
		m.Series = append(m.Series, sums("ConsumedWriteCapacityUnits", write))
	}
	return &m
}

func days(n int, perSecond func(minute int) float64) []float64 {
	out := make([]float64, n*minutesPerDay)
	for m := range out {
		out[m] = perSecond(m)
	}
	return out
}

func flatDays(n int, u float64) []float64 { return repeat(u, n*minutesPerDay) }

func decide(t testing.TB, tab *table.Table, m *table.Metrics) Decision {
	t.Helper()
	return Decide(DecideInput{Table: tab, Metrics: m, Book: defaultBook(t), Region: region, Limits: DefaultLimits()})
}

func optionNamed(t testing.TB, d *Decision, name string) *Option {
	t.Helper()
	for i := range d.Options {
		if d.Options[i].Name == name {
			return &d.Options[i]
		}
	}
	var names []string
	for _, o := range d.Options {
		names = append(names, o.Name)
	}
	t.Fatalf("no option %q in %q", name, names)
	return nil
}

func wantMoney(t testing.TB, what string, got Money, want string) {
	t.Helper()
	if got.String() != want {
		t.Errorf("%s: %s, expected %s", what, got, want)
	}
}

func wantVerdict(t testing.TB, d *Decision, want Verdict) {
	t.Helper()
	if d.Verdict != want {
		t.Errorf("verdict %s, expected %s; reasons: %q", d.Verdict, want, d.Reasons)
	}
}

// within tells whether an amount is within a share of dollars.
func within(m Money, dollars, share float64) bool {
	got, ok := m.Float()
	return ok && math.Abs(got-dollars) <= share*dollars
}

// openFixture reads a compressed file of fixtures/cost.
func openFixture(t testing.TB, name string) io.Reader {
	t.Helper()
	f, err := os.Open("../fixtures/cost/" + name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// readFixture reads metrics and description of fixtures/cost.
func readFixture(t testing.TB, name string) (*table.Table, *table.Metrics) {
	t.Helper()
	rows, err := csv.NewReader(openFixture(t, name+".csv.gz")).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	m := &table.Metrics{}
	for _, row := range rows[1:] {
		s := m.Find(row[2], row[3], row[4])
		if s == nil {
			m.Series = append(m.Series, table.Series{Index: row[2], Metric: row[3], Statistic: row[4]})
			s = &m.Series[len(m.Series)-1]
		}
		start, err1 := strconv.ParseInt(row[0], 10, 64)
		period, err2 := strconv.ParseInt(row[5], 10, 32)
		value, err3 := strconv.ParseFloat(row[6], 64)
		if err1 != nil || err2 != nil || err3 != nil {
			t.Fatalf("%s: row %q", name, row)
		}
		s.Points = append(s.Points, table.Point{Start: start, Period: int32(period), Value: value})
	}
	return readDescription(t, name), m
}

func readDescription(t testing.TB, name string) *table.Table {
	t.Helper()
	data, err := os.ReadFile("../fixtures/cost/" + name + ".describe.json")
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Table struct {
			BillingModeSummary        *struct{ BillingMode string }
			ProvisionedThroughput     struct{ ReadCapacityUnits, WriteCapacityUnits int64 }
			TableSizeBytes, ItemCount int64
			GlobalSecondaryIndexes    []struct {
				IndexName                 string
				IndexSizeBytes, ItemCount int64
			}
		}
	}
	if err := json.Unmarshal(data, &d); err != nil {
		t.Fatal(err)
	}
	out := onDemandTable()
	out.Name, out.SizeBytes, out.ItemCount = written(name), written(d.Table.TableSizeBytes), written(d.Table.ItemCount)
	if d.Table.BillingModeSummary == nil {
		out.Billing = written(table.Provisioned)
		out.Capacity = throughput(d.Table.ProvisionedThroughput.ReadCapacityUnits, d.Table.ProvisionedThroughput.WriteCapacityUnits)
		// DescribeTable does not say.
		none := source.Unresolved[table.ScalingTarget]("describe-table does not show auto scaling", source.Span{})
		out.Scaling = table.AutoScaling{Read: none, Write: none}
	}
	for _, ix := range d.Table.GlobalSecondaryIndexes {
		out.GSIs.Items = append(out.GSIs.Items, &table.Index{Kind: table.GSI, Name: written(ix.IndexName), SizeBytes: written(ix.IndexSizeBytes), ItemCount: written(ix.ItemCount)})
	}
	return out
}

// atMonday is the start of the tests' clock plus minutes.
func atMonday(minutes int) time.Time { return time.Unix(monday+int64(minutes)*60, 0).UTC() }

func nan() float64 { return math.NaN() }

func unresolved[T any](why string) source.Value[T] { return source.Unresolved[T](why, source.Span{}) }
