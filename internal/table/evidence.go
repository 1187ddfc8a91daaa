package table

// Profile is what a look at items found: sizes, counts and shares, never
// values.
type Profile struct {
	Items  int64    // items looked at
	Of     int64    // items in the table at that time; 0: not known
	Size   [4]int64 // p50, p90, p99, max in bytes
	Keys   []KeyProfile
	Source string // "sample", "export" or FromModel
}

// FromModel is the source of a profile of a data model's sample data.
const FromModel = "model"

// Illustrative tells whether the items only show what items look like, as the
// few of a data model do: how often a value occurs among them says nothing
// about the table, and that they are small proves nothing.
func (p *Profile) Illustrative() bool { return p != nil && p.Source == FromModel }

// KeyProfile is the distribution of one key attribute over the items seen.
type KeyProfile struct {
	Attribute string
	Distinct  int64
	TopShare  float64 // share of items with the most frequent value
}

// Key returns the profile of an attribute, or nil.
func (p *Profile) Key(attribute string) *KeyProfile {
	if p == nil {
		return nil
	}
	for i := range p.Keys {
		if p.Keys[i].Attribute == attribute {
			return &p.Keys[i]
		}
	}
	return nil
}

// Metrics is CloudWatch's record of one table and its GSIs.
type Metrics struct {
	Series  []Series  // ordered by index (table first), metric, source, statistic
	Dropped []Dropped // rows that made no sense, counted by reason
	// Refused names what rows that were not used may have told of, so that
	// nobody takes its silence for zero. Repeated rows are not in it.
	Refused []Refused
}

// Refused is a place in CloudWatch of which rows were not used, as far as they
// name one.
type Refused struct {
	Index  string // "" for the table itself
	Metric string // as written, which may be no name of CloudWatch's; "": not told
}

// Series is one metric at one place. Points are in order of time and then of
// period, without duplicates; points of different periods may cover the same
// time, those of one period do not. A missing period is unknown, not zero, unless the metric is one
// that is only sent when something happens (throttles).
type Series struct {
	Index     string // "" for the table itself
	Metric    string // CloudWatch's name
	Statistic string // Sum, Average, Maximum or SampleCount
	Points    []Point
}

// Point is one period. Start is seconds since the epoch, Period in seconds.
type Point struct {
	Start  int64
	Period int32
	Value  float64
}

// Dropped counts input rows that were not used, and why.
type Dropped struct {
	Reason string
	Rows   int
	First  string // place of the first: file:line:col
}

// Find returns the series of a metric, or nil.
func (m *Metrics) Find(index, metric, statistic string) *Series {
	if m == nil {
		return nil
	}
	for i := range m.Series {
		if s := &m.Series[i]; s.Index == index && s.Metric == metric && s.Statistic == statistic {
			return s
		}
	}
	return nil
}
