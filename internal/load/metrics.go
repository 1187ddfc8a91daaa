package load

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"

	"ddbvet/internal/load/node"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// maxMetricsSize bounds a metrics file after decompression, in bytes; three
// weeks of minutes of a table with 20 indexes are a third of it.
const maxMetricsSize = 1 << 30

// Metrics reads a metrics file: CSV with the header MetricsHeader, gzip or
// plain. It returns the metrics by table and the sorted names of the tables. A
// row that makes no sense is dropped and counted by reason in its table's
// Metrics.Dropped; rows that name no table are diagnostics, counted by reason.
// A file without the header, or without any row, gives one diagnostic.
func Metrics(f *source.File) (tables map[string]*table.Metrics, names []string, errs []*source.Diagnostic) {
	f, wrong := plainMetrics(f)
	r := &rowReader{data: bytes.TrimPrefix(f.Data, []byte("\xef\xbb\xbf")), line: 1}
	if wrong == "" {
		wrong = readHeader(r)
	}
	m := &metricsReader{
		file: f, rows: r, series: map[string]*series{}, byKey: map[seriesKey]*series{},
		tables: map[string]tally{}, stray: tally{}, refused: map[seriesKey]bool{},
	}
	if wrong == "" {
		m.read()
		if m.count == 0 {
			wrong = "the metrics file has a header and no rows"
		}
	}
	if wrong != "" {
		return nil, nil, []*source.Diagnostic{source.Errorf(lineOf(f, 1), "%s", wrong)}
	}
	return m.result()
}

// plainMetrics unfolds a gzip file, or says why the file has no text.
func plainMetrics(f *source.File) (text *source.File, wrong string) {
	if bytes.HasPrefix(f.Data, []byte("\x1f\x8b")) {
		data, err := gunzip(f.Data, maxMetricsSize)
		if err != nil {
			return f, "the gzip data cannot be read: " + err.Error()
		}
		f = source.NewFile(f.Name, data)
	}
	if name := node.UTF16(f.Data); name != "" {
		return f, "the file is " + name + ", expected UTF-8"
	}
	return f, ""
}

// gunzip inflates data, refusing what unfolds to more than limit bytes.
func gunzip(data []byte, limit int64) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	plain, err := io.ReadAll(io.LimitReader(z, limit+1))
	if err == nil && int64(len(plain)) > limit {
		return nil, fmt.Errorf("it unfolds to more than %d bytes", limit)
	}
	return plain, err
}

// readHeader checks the first row; the columns come in this order only.
func readHeader(r *rowReader) string {
	want := strings.Split(MetricsHeader, ",")
	if !r.next() {
		return "empty file, expected a metrics file with the header " + MetricsHeader
	}
	if bytes.HasPrefix(bytes.TrimSpace(r.data), []byte("{")) {
		return "the file is JSON, expected CSV with the header " + MetricsHeader
	}
	for i, w := range want {
		if r.fault != "" || i >= len(r.fields) || string(r.fields[i]) != w {
			return fmt.Sprintf("column %d of the header is not %q, expected the header %s", i+1, w, MetricsHeader)
		}
	}
	if len(r.fields) > len(want) {
		return fmt.Sprintf("the header has %d columns, expected the %d of %s", len(r.fields), len(want), MetricsHeader)
	}
	return ""
}

// tally counts dropped rows by reason.
type tally map[string]*dropped

type dropped struct{ rows, line int }

func (t tally) drop(line int, reason string) {
	if d := t[reason]; d != nil {
		d.rows++
		d.line = min(d.line, line)
		return
	}
	t[reason] = &dropped{1, line}
}

// lineOf is the place of a row.
func lineOf(f *source.File, line int) source.Span {
	return source.Span{File: f, Start: source.Pos{Line: line, Col: 1}}
}

// seriesKey is one metric at one place.
type seriesKey struct{ table, index, metric, statistic string }

func (k seriesKey) compare(o seriesKey) int {
	return cmp.Or(cmp.Compare(k.table, o.table), cmp.Compare(k.index, o.index),
		cmp.Compare(k.metric, o.metric), cmp.Compare(k.statistic, o.statistic))
}

// series collects the points of one metric at one place.
type series struct {
	drops  tally  // its table's
	reject string // why no row of it is used
	points []row
	sorted bool
}

// row is a point with the line it stands on, for the places of duplicates.
type row struct {
	table.Point
	line int32
}

// metricsReader turns rows into series. Looking a series up by the raw bytes of
// its four columns keeps the loop free of allocation.
type metricsReader struct {
	file   *source.File
	rows   *rowReader
	series map[string]*series // by raw columns
	byKey  map[seriesKey]*series
	tables map[string]tally
	stray  tally // rows that name no table
	// refused is where rows were not used: table, index and metric as far as
	// they name them; without a table it may be any.
	refused map[seriesKey]bool
	stamps  stampParser
	count   int
}

func (m *metricsReader) read() {
	for m.rows.next() {
		m.count++
		if m.rows.fault != "" {
			m.stray.drop(m.rows.start, m.rows.fault)
			m.refuse(nil)
			continue
		}
		m.row(m.rows.fields)
	}
}

func (m *metricsReader) row(fields [][]byte) {
	if len(fields) != 7 {
		m.tallyOf(fields).drop(m.rows.start, fmt.Sprintf("found %d columns, expected 7", len(fields)))
		m.refuse(fields)
		return
	}
	s, ok := m.series[string(m.rows.raw)]
	if !ok {
		s = m.newSeries(fields)
		m.series[string(m.rows.raw)] = s
	}
	point, wrong := m.point(fields)
	if s.reject != "" {
		wrong = s.reject
	}
	if wrong != "" {
		s.drops.drop(m.rows.start, wrong)
		m.refuse(fields)
		return
	}
	if n := len(s.points); n > 0 && point.Start <= s.points[n-1].Start {
		s.sorted = false
	}
	s.points = append(s.points, row{point, int32(m.rows.start)})
}

// newSeries finds the series of a row's columns, which may be quoted
// differently from row to row, or starts it.
func (m *metricsReader) newSeries(fields [][]byte) *series {
	key := seriesKey{string(fields[1]), string(fields[2]), string(fields[3]), string(fields[4])}
	if s := m.byKey[key]; s != nil {
		return s
	}
	s := &series{drops: m.tallyOf(fields), reject: wrongMetric(key.metric, key.statistic), sorted: true}
	if key.table == "" {
		s.reject = "the row names no table"
	}
	m.byKey[key] = s
	return s
}

// refuse notes what a row that is not used may have told of.
func (m *metricsReader) refuse(fields [][]byte) {
	var key seriesKey
	for i, to := range []*string{1: &key.table, 2: &key.index, 3: &key.metric} {
		if to != nil && i < len(fields) {
			*to = string(fields[i])
		}
	}
	m.refused[key] = true
}

// tallyOf is where the drops of a row are counted: its table's, if it has one.
func (m *metricsReader) tallyOf(fields [][]byte) tally {
	if len(fields) < 2 || len(fields[1]) == 0 {
		return m.stray
	}
	t := m.tables[string(fields[1])]
	if t == nil {
		t = tally{}
		m.tables[string(fields[1])] = t
	}
	return t
}

// result orders the series and reports the rows of no table.
func (m *metricsReader) result() (tables map[string]*table.Metrics, names []string, errs []*source.Diagnostic) {
	tables, names = map[string]*table.Metrics{}, slices.Sorted(maps.Keys(m.tables))
	for _, name := range names {
		tables[name] = &table.Metrics{}
	}
	for _, k := range slices.SortedFunc(maps.Keys(m.byKey), seriesKey.compare) {
		if points := m.byKey[k].settle(); len(points) > 0 {
			t := tables[k.table]
			t.Series = append(t.Series, table.Series{Index: k.index, Metric: k.metric, Statistic: k.statistic, Points: points})
		}
	}
	for _, name := range names {
		drops := m.tables[name]
		for _, reason := range slices.Sorted(maps.Keys(drops)) {
			d := drops[reason]
			tables[name].Dropped = append(tables[name].Dropped,
				table.Dropped{Reason: reason, Rows: d.rows, First: lineOf(m.file, d.line).String()})
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(m.refused), seriesKey.compare) {
		for _, name := range names {
			if k.table == name || k.table == "" {
				tables[name].Refused = append(tables[name].Refused, table.Refused{Index: k.index, Metric: k.metric})
			}
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(m.stray)) {
		d := m.stray[reason]
		errs = append(errs, source.Errorf(lineOf(m.file, d.line), "%s, rows of this kind that are not used: %d", reason, d.rows))
	}
	return tables, names, errs
}
