package load

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"ddbvet/internal/table"
)

// DuplicateRow is the reason of a dropped row that says again, to the value,
// what an earlier one said: nothing is lost with it.
const DuplicateRow = "duplicate row"

// statistics says which statistics of a metric mean something.
type statistics []string

// counters are sums of what happened: their Average is an average over
// requests and not over time. gauges are settings and levels, whose Sum
// depends on how often they were sent.
var (
	counters = statistics{"Sum", "SampleCount"}
	gauges   = statistics{"Average", "Maximum"}
	latency  = statistics{"Average", "Maximum", "SampleCount"}
	amounts  = statistics{"Sum", "Average", "Maximum", "SampleCount"}
)

// metricStatistics lists CloudWatch's metrics of a table or an index.
// Source: DynamoDB Developer Guide, metrics and dimensions. Metrics that are
// account-wide (UserErrors, AccountMaxReads, …) are not of a table.
func metricStatistics(metric string) statistics {
	switch metric {
	case "ConsumedReadCapacityUnits", "ConsumedWriteCapacityUnits",
		"ReadThrottleEvents", "WriteThrottleEvents",
		"ReadProvisionedThroughputThrottleEvents", "WriteProvisionedThroughputThrottleEvents",
		"ReadKeyRangeThroughputThrottleEvents", "WriteKeyRangeThroughputThrottleEvents",
		"ReadAccountLimitThrottleEvents", "WriteAccountLimitThrottleEvents",
		"ReadMaxOnDemandThroughputThrottleEvents", "WriteMaxOnDemandThroughputThrottleEvents",
		"OnlineIndexThrottleEvents", "OnlineIndexConsumedWriteCapacity",
		"ThrottledRequests", "ConditionalCheckFailedRequests", "SystemErrors", "TransactionConflict",
		"TimeToLiveDeletedItemCount":
		return counters
	case "ProvisionedReadCapacityUnits", "ProvisionedWriteCapacityUnits",
		"OnDemandMaxReadRequestUnits", "OnDemandMaxWriteRequestUnits",
		"MaxProvisionedTableReadCapacityUtilization", "MaxProvisionedTableWriteCapacityUtilization",
		"OnlineIndexPercentageProgress", "ReplicationLatency":
		return gauges
	case "SuccessfulRequestLatency":
		return latency
	case "ReturnedBytes", "ReturnedItemCount", "ReturnedRecordsCount",
		"VectorSearchRequestBytes", "VectorWriteRequestBytes":
		return amounts
	}
	return nil
}

// wrongMetric says why a series is not used, or "".
func wrongMetric(metric, statistic string) string {
	allowed := metricStatistics(metric)
	switch {
	case allowed == nil:
		return "metric " + strconv.Quote(metric) + " is not one of a table or an index"
	case !slices.Contains(allowed, statistic):
		return "statistic " + strconv.Quote(statistic) + " of " + metric + " means nothing here, expected " + strings.Join(allowed, " or ")
	}
	return ""
}

// point reads timestamp, period and value, or says why it cannot.
func (m *metricsReader) point(fields [][]byte) (p table.Point, wrong string) {
	if p.Start, wrong = m.stamps.parse(fields[0]); wrong != "" {
		return p, wrong
	}
	if p.Period = wholePeriod(fields[5]); p.Period == 0 {
		return p, "the period is not a positive multiple of 60 seconds"
	}
	p.Value, wrong = metricValue(fields[6])
	return p, wrong
}

// wholePeriod is a positive multiple of 60, or 0.
func wholePeriod(b []byte) int32 {
	n := int32(0)
	for _, c := range b {
		if c < '0' || c > '9' || n > math.MaxInt32/10-1 {
			return 0
		}
		n = n*10 + int32(c-'0')
	}
	if n%60 != 0 {
		return 0
	}
	return n
}

// pow10 are the powers of ten that a float holds exactly and that are needed
// below 2^53.
var pow10 = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// metricValue reads a number. Up to 15 digits are exact as an integer and so
// is the power of ten, so one division rounds correctly; the rest is left to
// strconv.
func metricValue(b []byte) (float64, string) {
	n, digits, fraction := int64(0), 0, -1
	for _, c := range b {
		switch {
		case c >= '0' && c <= '9':
			n = n*10 + int64(c-'0')
			digits++
		case c == '.' && fraction < 0:
			fraction = digits
		default:
			return slowValue(string(b))
		}
		if digits > 15 {
			return slowValue(string(b))
		}
	}
	if digits == 0 {
		return slowValue(string(b))
	}
	if fraction < 0 {
		return float64(n), ""
	}
	return float64(n) / pow10[digits-fraction], ""
}

// maxValue is beyond what any table counts in any period, and far below where
// sums of floats lose themselves. Values of up to 15 digits are below it.
const maxValue = 1e15

func slowValue(text string) (float64, string) {
	v, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil && math.IsInf(v, 0), err == nil && (math.IsInf(v, 0) || math.IsNaN(v)):
		return 0, "the value is NaN or infinite"
	case err != nil || strings.ContainsAny(text, "xX_"):
		return 0, "the value is not a number"
	case v < 0:
		return 0, "the value is negative"
	case v > maxValue:
		return 0, "the value is larger than any table's"
	}
	return math.Abs(v), "" // -0 is 0
}

// stampParser reads timestamps. Rows come by the day, so the day of the last
// row is kept.
type stampParser struct {
	day     [10]byte // "2026-11-30"
	seconds int64    // at its beginning
}

// The reasons for which a timestamp is refused.
const (
	badStamp     = "the timestamp is neither RFC 3339 nor seconds since the epoch"
	badStampYear = "the timestamp is not between the years 1970 and 2100"
	badStampGrid = "the timestamp is not on a whole minute"
)

// lastStamp is the end of the year 2100; milliseconds are far beyond it.
const lastStamp = 4133980800

// parse returns seconds since the epoch. CloudWatch's periods begin on whole
// minutes, though not on whole multiples of the period.
func (s *stampParser) parse(b []byte) (int64, string) {
	t, ok := s.fast(b)
	if !ok {
		t, ok = epoch(b)
	}
	if !ok {
		parsed, err := time.Parse(time.RFC3339, string(b))
		switch {
		case err == nil && parsed.Nanosecond() != 0:
			return 0, badStampGrid
		case err != nil:
			return 0, badStamp
		}
		t = parsed.Unix()
	}
	switch {
	case t < 0 || t >= lastStamp:
		return 0, badStampYear
	case t%60 != 0:
		return 0, badStampGrid
	}
	return t, ""
}

// fast reads 2026-11-30T12:34:56Z where the day is that of the row before, or
// can be checked to be a day.
func (s *stampParser) fast(b []byte) (int64, bool) {
	if len(b) < 20 || b[10] != 'T' || b[13] != ':' || b[16] != ':' || string(b[19:]) != "Z" && string(b[19:]) != "+00:00" {
		return 0, false
	}
	if [10]byte(b[:10]) != s.day {
		day, err := time.Parse(time.DateOnly, string(b[:10]))
		if err != nil {
			return 0, false
		}
		s.day, s.seconds = [10]byte(b[:10]), day.Unix()
	}
	h, m, sec := pair(b[11:]), pair(b[14:]), pair(b[17:])
	if h < 0 || h > 23 || m < 0 || m > 59 || sec < 0 || sec > 59 {
		return 0, false
	}
	return s.seconds + int64(h*3600+m*60+sec), true
}

// pair reads two digits, or is negative.
func pair(b []byte) int {
	hi, lo := b[0]-'0', b[1]-'0'
	if hi > 9 || lo > 9 {
		return -1
	}
	return int(hi)*10 + int(lo)
}

// epoch reads seconds since the epoch, whole or with a fraction of zeros.
func epoch(b []byte) (n int64, ok bool) {
	for i, c := range b {
		switch {
		case c >= '0' && c <= '9' && n < lastStamp:
			n = n*10 + int64(c-'0')
		case c >= '0' && c <= '9':
			n = lastStamp // too late in any case
		case c == '.' && i > 0:
			return n, len(bytes.Trim(b[i+1:], "0")) == 0
		default:
			return 0, false
		}
	}
	return n, len(b) > 0
}

// settle sorts the points and drops the rows that say a period again. Points of
// different periods may cover the same time: exports of several resolutions
// overlap, and who reads them takes the finest.
func (s *series) settle() []table.Point {
	if !s.sorted {
		slices.SortStableFunc(s.points, func(a, b row) int {
			return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Period, b.Period))
		})
	}
	out := make([]table.Point, 0, len(s.points))
	last := map[int32]table.Point{} // by period
	for _, r := range s.points {
		if before, ok := last[r.Period]; ok {
			if again := repeats(before, r.Point); again != "" {
				s.drops.drop(int(r.line), again)
				continue
			}
		}
		last[r.Period] = r.Point
		out = append(out, r.Point)
	}
	return out
}

// repeats says how a point covers time that one before it of its period
// covers, or "".
func repeats(last, p table.Point) string {
	switch {
	case p == last:
		return DuplicateRow
	case p.Start == last.Start:
		return "the same period again with another value"
	case p.Start < last.Start+int64(last.Period):
		return "the period overlaps another of its series"
	}
	return ""
}
