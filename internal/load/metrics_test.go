package load

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// metricsSet is what Metrics returns.
type metricsSet struct {
	Tables map[string]*table.Metrics
	Names  []string
	Errors []*source.Diagnostic
}

func readMetrics(f *source.File) (s metricsSet) {
	s.Tables, s.Names, s.Errors = Metrics(f)
	return s
}

func metrics(text string) metricsSet { return readMetrics(source.NewFile("m.csv", []byte(text))) }

const consumed = ",T,,ConsumedReadCapacityUnits,Sum,60,"

func TestMetricsFixture(t *testing.T) {
	data, err := os.ReadFile("../../fixtures/metrics/orders.csv")
	if err != nil {
		t.Fatal(err)
	}
	// 2026-11-01T00:00:00Z is 1793491200.
	want := metricsSet{
		Names: []string{"Orders", "Users"},
		Tables: map[string]*table.Metrics{
			"Orders": {
				Series: []table.Series{
					{Metric: "ConsumedReadCapacityUnits", Statistic: "Sum", Points: []table.Point{
						{Start: 1793491200, Period: 60, Value: 120},
						{Start: 1793491260, Period: 60, Value: 0},
						{Start: 1793491320, Period: 60, Value: 90.5},
					}},
					{Metric: "ProvisionedReadCapacityUnits", Statistic: "Average", Points: []table.Point{
						{Start: 1793491200, Period: 300, Value: 5},
					}},
					{Index: "byStatus", Metric: "ConsumedReadCapacityUnits", Statistic: "Sum", Points: []table.Point{
						{Start: 1793491200, Period: 60, Value: 7},
					}},
				},
				Dropped: []table.Dropped{
					{Reason: "duplicate row", Rows: 1, First: "orders.csv:9:1"},
					{Reason: `statistic "Average" of ConsumedReadCapacityUnits means nothing here, expected Sum or SampleCount`, Rows: 1, First: "orders.csv:7:1"},
					{Reason: "the value is negative", Rows: 1, First: "orders.csv:8:1"},
				},
				Refused: []table.Refused{{Metric: "ConsumedReadCapacityUnits"}},
			},
			"Users": {Series: []table.Series{{Metric: "WriteThrottleEvents", Statistic: "Sum", Points: []table.Point{
				{Start: 1793491200, Period: 60, Value: 3},
			}}}},
		},
	}
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	_, _ = z.Write(data)
	_ = z.Close()
	for name, in := range map[string][]byte{
		"plain": data, "gzip": zipped.Bytes(),
		"CRLF": []byte(strings.ReplaceAll(string(data), "\n", "\r\n")),
		"mark": append([]byte("\xef\xbb\xbf"), data...),
	} {
		if d := cmp.Diff(want, readMetrics(source.NewFile("orders.csv", in))); d != "" {
			t.Errorf("%s (-want +got)\n%s", name, d)
		}
	}
}

// Each row that makes no sense is counted with its reason and the place of
// the first; the good row beside it is kept.
func TestMetricsDroppedRows(t *testing.T) {
	const good = "2026-11-01T00:00:00Z" + consumed + "1\n"
	for _, c := range []struct{ row, reason string }{
		{"2026-11-01T00:01:00Z" + consumed + "-1", "the value is negative"},
		{"2026-11-01T00:01:00Z" + consumed + "NaN", "the value is NaN or infinite"},
		{"2026-11-01T00:01:00Z" + consumed + "+Inf", "the value is NaN or infinite"},
		{"2026-11-01T00:01:00Z" + consumed + "1e999", "the value is NaN or infinite"},
		{"2026-11-01T00:01:00Z" + consumed, "the value is not a number"},
		{"2026-11-01T00:01:00Z" + consumed + "1,5", "found 8 columns, expected 7"},
		{"2026-11-01T00:01:00Z" + consumed + "0x10", "the value is not a number"},
		{"2026-11-01T00:01:00Z" + consumed + " 1", "the value is not a number"},
		{"2026-11-01T00:01:00Z" + consumed + ".", "the value is not a number"},
		{"2026-11-01T00:01:00Z,T,,ConsumedReadCapacityUnits,Sum,0,1", "the period is not a positive multiple of 60 seconds"},
		{"2026-11-01T00:01:00Z,T,,ConsumedReadCapacityUnits,Sum,90,1", "the period is not a positive multiple of 60 seconds"},
		{"2026-11-01T00:01:00Z,T,,ConsumedReadCapacityUnits,Sum,-60,1", "the period is not a positive multiple of 60 seconds"},
		{"2026-11-01T00:01:00Z,T,,ConsumedReadCapacityUnits,Sum,4294967340,1", "the period is not a positive multiple of 60 seconds"},
		{"2026-11-01T00:01:00Z,T,,ConsumedReadCapacityUnits,Sum,,1", "the period is not a positive multiple of 60 seconds"},
		{"2026-11-01T00:01:30Z" + consumed + "1", badStampGrid},
		{"2026-11-01T00:01:00.5Z" + consumed + "1", badStampGrid},
		{"1793491201" + consumed + "1", badStampGrid},
		{"1793491260000" + consumed + "1", badStampYear},
		{"99999999999999999999999999" + consumed + "1", badStampYear},
		{"1969-12-31T00:00:00Z" + consumed + "1", badStampYear},
		{"2026-02-30T00:00:00Z" + consumed + "1", badStamp},
		{"2026-11-01T24:00:00Z" + consumed + "1", badStamp},
		{"2026-11-01 00:01:00" + consumed + "1", badStamp},
		{"" + consumed + "1", badStamp},
		{"-60" + consumed + "1", badStamp},
		{"2026-11-01T00:01:00Z,T,,consumedreadcapacityunits,Sum,60,1", `metric "consumedreadcapacityunits" is not one of a table or an index`},
		{"2026-11-01T00:01:00Z,T,,UserErrors,Sum,60,1", `metric "UserErrors" is not one of a table or an index`},
		{"2026-11-01T00:01:00Z,T,,ConsumedWriteCapacityUnits,Average,60,1", `statistic "Average" of ConsumedWriteCapacityUnits means nothing here, expected Sum or SampleCount`},
		{"2026-11-01T00:01:00Z,T,,ReadThrottleEvents,Maximum,60,1", `statistic "Maximum" of ReadThrottleEvents means nothing here, expected Sum or SampleCount`},
		{"2026-11-01T00:01:00Z,T,,ProvisionedReadCapacityUnits,Sum,60,1", `statistic "Sum" of ProvisionedReadCapacityUnits means nothing here, expected Average or Maximum`},
		{"2026-11-01T00:01:00Z,T,,ConsumedReadCapacityUnits,sum,60,1", `statistic "sum" of ConsumedReadCapacityUnits means nothing here, expected Sum or SampleCount`},
		{strings.TrimSpace(good), "duplicate row"},
		{"2026-11-01T01:00:00+01:00" + consumed + "1.0", "duplicate row"},
		{"2026-11-01T00:00:00Z" + consumed + "2", "the same period again with another value"},
		{"2026-11-01T00:01:00Z" + consumed + "1e16", "the value is larger than any table's"},
		{"2026-11-01T00:01:00Z" + consumed + "1e308", "the value is larger than any table's"},
	} {
		set := metrics(MetricsHeader + "\n" + good + c.row + "\n" + c.row + "\n")
		m := set.Tables["T"]
		if m == nil || len(set.Errors) > 0 {
			t.Errorf("%s: %+v", c.row, set)
			continue
		}
		if len(m.Series) != 1 || len(m.Series[0].Points) != 1 || m.Series[0].Points[0] != (table.Point{Start: 1793491200, Period: 60, Value: 1}) {
			t.Errorf("%s: the good row is not all that is kept: %+v", c.row, m.Series)
		}
		want := []table.Dropped{{Reason: c.reason, Rows: 2, First: "m.csv:3:1"}}
		if d := cmp.Diff(want, m.Dropped); d != "" {
			t.Errorf("%s (-want +got)\n%s", c.row, d)
		}
	}
}

// Exports of several resolutions overlap: the fine points stay beside the coarse
// one, whichever comes first, and only a period that is said twice goes.
func TestMetricsOverlappingPeriods(t *testing.T) {
	at := func(minute, period, value int64) string {
		return fmt.Sprintf("%d,T,,ConsumedReadCapacityUnits,Sum,%d,%d\n", 1793491200+60*minute, period, value)
	}
	set := metrics(MetricsHeader + "\n" + at(0, 3600, 100) + at(1, 60, 40) + at(2, 60, 50) + at(0, 300, 90) + at(2, 300, 7))
	want := table.Metrics{
		Series: []table.Series{{Metric: "ConsumedReadCapacityUnits", Statistic: "Sum", Points: []table.Point{
			{Start: 1793491200, Period: 300, Value: 90},
			{Start: 1793491200, Period: 3600, Value: 100},
			{Start: 1793491260, Period: 60, Value: 40},
			{Start: 1793491320, Period: 60, Value: 50},
		}}},
		Dropped: []table.Dropped{{Reason: "the period overlaps another of its series", Rows: 1, First: "m.csv:6:1"}},
	}
	if d := cmp.Diff(&want, set.Tables["T"]); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// What rows that are not used may have told of is named, so that its silence is
// not taken for zero. A repeated row hides nothing; one that names no table may
// be of any.
func TestMetricsRefused(t *testing.T) {
	const good = "1793491200" + consumed + "1\n"
	for _, c := range []struct {
		row  string
		want []table.Refused
	}{
		{good, nil},
		{"1793491260,T,,ConsumedWriteCapacityUnits,Average,60,1", []table.Refused{{Metric: "ConsumedWriteCapacityUnits"}}},
		{"1793491260,T,ix,ConsumedWriteCapacityUnit,Sum,60,1", []table.Refused{{Index: "ix", Metric: "ConsumedWriteCapacityUnit"}}},
		{"1793491260,T,,ConsumedWriteCapacityUnits,Sum,60,-1", []table.Refused{{Metric: "ConsumedWriteCapacityUnits"}}},
		{"1793491260,T", []table.Refused{{}}},
		{"1793491260,,,ConsumedWriteCapacityUnits,Sum,60,1", []table.Refused{{Metric: "ConsumedWriteCapacityUnits"}}},
		{"\"1793491260", []table.Refused{{}}},
		{"1793491260,other,,ConsumedWriteCapacityUnits,Average,60,1", nil},
	} {
		set := metrics(MetricsHeader + "\n" + good + c.row + "\n")
		if d := cmp.Diff(c.want, set.Tables["T"].Refused); d != "" {
			t.Errorf("%s (-want +got)\n%s", c.row, d)
		}
	}
}

// A row without a table cannot be counted under one.
func TestMetricsStrayRows(t *testing.T) {
	set := metrics(MetricsHeader + "\n1793491200,,,ConsumedReadCapacityUnits,Sum,60,1\n\"1793491200" + consumed + "1\nx\n1793491200,,,UserErrors,Sum,60,1\n")
	var got []string
	for _, e := range set.Errors {
		got = append(got, e.Error())
	}
	want := []string{
		"m.csv:3:1: a quote is not closed on its line, rows of this kind that are not used: 1",
		"m.csv:4:1: found 1 columns, expected 7, rows of this kind that are not used: 1",
		"m.csv:2:1: the row names no table, rows of this kind that are not used: 2",
	}
	if d := cmp.Diff(want, got); d != "" || len(set.Tables) != 0 {
		t.Errorf("(-want +got)\n%s%v", d, set.Tables)
	}
}

func TestMetricsOrderAndQuotes(t *testing.T) {
	set := metrics(MetricsHeader + "\n" +
		"1793491320" + consumed + "3\n" +
		"\"1793491200\",\"T\",\"\",\"ConsumedReadCapacityUnits\",\"Sum\",\"60\",\"1\"\n" +
		"\n" +
		"2026-11-01T00:01:00.000+00:00,\"T\"," + consumed[3:] + "2\n" +
		"1793491500.000,T,,ConsumedReadCapacityUnits,Sum,300,1.25e2\n" +
		"1793491380,T,,ConsumedReadCapacityUnits,Sum,60,0.10000000000000000001")
	want := []table.Series{{Metric: "ConsumedReadCapacityUnits", Statistic: "Sum", Points: []table.Point{
		{Start: 1793491200, Period: 60, Value: 1},
		{Start: 1793491260, Period: 60, Value: 2},
		{Start: 1793491320, Period: 60, Value: 3},
		{Start: 1793491380, Period: 60, Value: 0.1},
		{Start: 1793491500, Period: 300, Value: 125},
	}}}
	if d := cmp.Diff(want, set.Tables["T"].Series); d != "" || len(set.Tables["T"].Dropped) > 0 {
		t.Errorf("(-want +got)\n%s%v", d, set.Tables["T"].Dropped)
	}
}

func TestMetricsFiles(t *testing.T) {
	header := ", expected the header " + MetricsHeader
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "empty file, expected a metrics file with the header " + MetricsHeader},
		{"header only", MetricsHeader + "\n", "the metrics file has a header and no rows"},
		{"order of columns", "table,timestamp,index,metric,statistic,period,value\n", `column 1 of the header is not "timestamp"` + header},
		{"semicolons", strings.ReplaceAll(MetricsHeader, ",", ";"), `column 1 of the header is not "timestamp"` + header},
		{"missing column", "timestamp,table,index,metric,statistic,period\n", `column 7 of the header is not "value"` + header},
		{"further column", MetricsHeader + ",unit\n", "the header has 8 columns, expected the 7 of " + MetricsHeader},
		{"upper case", "Timestamp,table,index,metric,statistic,period,value\n", `column 1 of the header is not "timestamp"` + header},
		{"JSON", "{\"MetricDataResults\":[]}", "the file is JSON, expected CSV with the header " + MetricsHeader},
		{"truncated gzip", "\x1f\x8b\x08\x00", "the gzip data cannot be read: unexpected EOF"},
		{"UTF-16", "\xff\xfet\x00", "the file is UTF-16 (little-endian), expected UTF-8"},
	} {
		set := metrics(c.text)
		if len(set.Errors) != 1 || set.Errors[0].Error() != "m.csv:1:1: "+c.want || len(set.Tables) > 0 {
			t.Errorf("%s: %v, want %s", c.name, set.Errors, c.want)
		}
	}
	if _, err := gunzip(zip(t, bytes.Repeat([]byte("a"), 1000)), 999); err == nil {
		t.Error("a gzip file above the limit is read")
	}
}

func zip(t testing.TB, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// three weeks of minutes of eight series, interleaved as exports write them
func threeWeeks() []byte {
	var b bytes.Buffer
	b.WriteString(MetricsHeader + "\n")
	start := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	names := []string{
		",Orders,,ConsumedReadCapacityUnits,Sum,60,", ",Orders,,ConsumedWriteCapacityUnits,Sum,60,",
		",Orders,byStatus,ConsumedReadCapacityUnits,Sum,60,", ",Orders,byStatus,ConsumedWriteCapacityUnits,Sum,60,",
		",Orders,,ReadThrottleEvents,Sum,60,", ",Orders,,WriteThrottleEvents,Sum,60,",
		",Orders,byStatus,ReadThrottleEvents,Sum,60,", ",Orders,byStatus,WriteThrottleEvents,Sum,60,",
	}
	for m := range 21 * 1440 {
		stamp := start.Add(time.Duration(m) * time.Minute).Format(time.RFC3339)
		for i, n := range names {
			fmt.Fprintf(&b, "%s%s%.1f\n", stamp, n, float64(m%997)*1.5+float64(i))
		}
	}
	return b.Bytes()
}

func TestMetricsAllocations(t *testing.T) {
	f := source.NewFile("m.csv", threeWeeks())
	allocs := testing.AllocsPerRun(1, func() {
		set := readMetrics(f)
		if n := len(set.Tables["Orders"].Series); n != 8 {
			t.Errorf("%d series", n)
		}
	})
	if allocs > 5000 {
		t.Errorf("%v allocations for 241,920 rows, expected none for a row", allocs)
	}
}

func BenchmarkMetrics(b *testing.B) {
	data := threeWeeks()
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if set := readMetrics(source.NewFile("m.csv", data)); len(set.Errors) > 0 {
			b.Fatal(set.Errors)
		}
	}
}

// FuzzMetrics: every row is kept or counted, the points of a series are in
// order and do not overlap within a period, and the fast parsers agree with the standard ones.
func FuzzMetrics(f *testing.F) {
	data, err := os.ReadFile("../../fixtures/metrics/orders.csv")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(MetricsHeader + "\n\"1793491200\"" + consumed + "\"1\"\"\"\n1793491200" + consumed + "1e3\n"))
	f.Add([]byte("2026-11-01T00:00:00+00:00" + consumed + "0.1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		checkStamp(t, data)
		checkValue(t, data)
		Metrics(source.NewFile("m.csv", data))
		body := append([]byte(MetricsHeader+"\n"), data...)
		set := readMetrics(source.NewFile("m.csv", body))
		rows := 0
		for _, line := range strings.Split(string(data), "\n") {
			if strings.TrimSuffix(line, "\r") != "" {
				rows++
			}
		}
		seen := 0
		for _, m := range set.Tables {
			for _, d := range m.Dropped {
				seen += d.Rows
			}
			for _, s := range m.Series {
				seen += len(s.Points)
				checkPoints(t, s.Points)
			}
		}
		for _, e := range set.Errors {
			if i := strings.LastIndex(e.Message, ": "); i >= 0 {
				n, _ := strconv.Atoi(e.Message[i+2:])
				seen += n
			}
		}
		if seen != rows {
			t.Errorf("%d rows, %d kept or counted", rows, seen)
		}
	})
}

func checkPoints(t *testing.T, points []table.Point) {
	t.Helper()
	for i, p := range points {
		if p.Value < 0 || math.IsNaN(p.Value) || math.IsInf(p.Value, 0) || p.Period <= 0 || p.Start%60 != 0 {
			t.Errorf("point %+v is kept", p)
		}
		if i > 0 && p.Start < points[i-1].Start {
			t.Errorf("points %+v and %+v are not in order", points[i-1], p)
		}
		for _, o := range points[:i] {
			if o.Period == p.Period && p.Start < o.Start+int64(o.Period) {
				t.Errorf("points %+v and %+v of one period overlap", o, p)
			}
		}
	}
}

func checkStamp(t *testing.T, b []byte) {
	t.Helper()
	var s stampParser
	got, ok := s.fast(b)
	want, err := time.Parse(time.RFC3339, string(b))
	if ok && (err != nil || want.Unix() != got) {
		t.Errorf("timestamp %q is %d, the standard library has %v, %v", b, got, want, err)
	}
}

func checkValue(t *testing.T, b []byte) {
	t.Helper()
	got, wrong := metricValue(b)
	want, err := strconv.ParseFloat(string(b), 64)
	if wrong == "" && (err != nil || want != got) {
		t.Errorf("value %q is %v, the standard library has %v, %v", b, got, want, err)
	}
}
