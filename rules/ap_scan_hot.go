package rules

import (
	"ddbvet/cost"
	"ddbvet/internal/plan"
	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

var apScanHot = &Rule{
	ID:       "ap-scan-hot",
	Severity: Warning,
	Needs:    Patterns,
	Check:    checkAPScanHot,
	Doc: Doc{
		Summary:   "a Scan on a path that users wait for",
		Why:       "A Scan reads and bills the whole table or index, whatever its filter keeps; its time and its price grow with the data and not with the answer.",
		Fix:       "Use a Query on a key or an index; give reports an export to S3, and jobs path = \"batch\".",
		Threshold: "a Scan with a rate over 0 on a path that is not \"admin\" or \"batch\": warning; error where its declared peak needs more than the table or index can give: its read capacity or maximum, else the default quota of 40,000 read units a second (a Scan spreads over the partitions, so that the limit of one does not apply); note where all that is read is known to be at most one page of 1 MB. On an admin or batch path: a note, and only where an existing key or index would serve",
		Source:    "DynamoDB Developer Guide, \"Best practices for querying and scanning data\"",
		Since:     "0.1",
		Bad:       "operation = \"Scan\"\nfilter = \"author = :a\"",
		Good:      "operation = \"Query\"\nindex = \"byAuthor\"\nkey = \"author = :a\"",
	},
}

func checkAPScanHot(p *Pass) {
	for i := range p.Plans {
		r := &p.Plans[i]
		op, known := r.Pattern.Operation.Get()
		switch {
		case !known:
			p.Skip(patternName(r.Pattern), "the operation")
		case op == table.Scan:
			p.scan(r)
		}
	}
}

func (p *Pass) scan(r *plan.Result) {
	rate, rated := peakRate(r.Pattern)
	path, known := r.Pattern.Path.Get()
	if !known && !r.Pattern.Path.Absent() {
		p.Skip(patternName(r.Pattern), "the path")
		return
	}
	if r.Pattern.Index.Unresolved() {
		p.Skip(patternName(r.Pattern), gap("index", r.Pattern.Index))
		return
	}
	main := path != table.PathAdmin && path != table.PathBatch
	if rated && rate == 0 || !main && len(r.Others) == 0 {
		return
	}
	f := Finding{
		Severity: Warning, Known: Proven, At: r.Pattern.Operation.At, Pattern: patternName(r.Pattern), Index: knownText(r.Pattern.Index),
		Message: "access pattern " + quoted(patternName(r.Pattern)) + " scans the whole " + scanned(p.Table, r),
		Fix:     faultFix(p.rule, r),
	}
	if !main {
		f.Severity = Note
	}
	if len(r.Others) > 0 {
		f.Fix = accessText(r.Others[0])
	}
	p.priceScan(&f, r, main)
	p.Report(f)
}

// priceScan adds what a pass and a month of passes consume, where known, and
// lets the severity of a main path follow.
func (p *Pass) priceScan(f *Finding, r *plan.Result, main bool) {
	bytes, sized := p.scanBytes(r)
	if !sized {
		f.Message += ", whose size is not known; a pass reads 1 RRU for every 8,192 B (eventual)"
		return
	}
	units := cost.ReadUnits(bytes, consistency(r.Pattern))
	f.Numbers = []Number{{"bytes", bytes}, {"read_units", units}}
	f.Message += ": " + byteSize(bytes) + ", " + number(units)
	if mode, ok := p.Table.Billing.Get(); ok && mode == table.PayPerRequest {
		f.Message += " RRU a pass"
		if once := p.amount(cost.OnDemandRead, units); once.Known() {
			f.Message += " (" + once.String() + ")"
		}
	} else {
		f.Message += " read units a pass"
	}
	if avg, ok := averageRate(r.Pattern); ok {
		f.Known = Estimated
		f.Monthly = p.monthlyUnits(units*avg, false)
		f.Message += costText(f.Monthly)
	} else {
		f.Message += "; its rate is not known"
	}
	if !main {
		return
	}
	rate, rated := peakRate(r.Pattern)
	if bytes <= cost.PageBytes && !growing(p.Table) && (!rated || units*rate < partitionRCU) {
		f.Severity = Note
	}
	if rated && rate >= minScanRate {
		p.weighScan(f, r, units*rate)
	}
}

// weighScan compares the peak of a Scan with all that its table or index reads.
func (p *Pass) weighScan(f *Finding, r *plan.Result, peak float64) {
	f.Message += "; at its peak " + number(peak) + " RCU/s"
	f.Numbers = append(f.Numbers, Number{"peak_rcu", peak})
	if most, what := readCeiling(p.Table, declaredIndex(r)); peak > most {
		f.Severity = Error
		f.Message += ", over the " + what + " of " + number(most)
		f.Numbers = append(f.Numbers, Number{"limit_rcu", most})
	}
}

// readCeiling is the most that a table (nil) or a global index reads a second
// and what sets it. Local indexes read from their table's.
func readCeiling(t *table.Table, ix *table.Index) (units float64, what string) {
	capacity, limit, scaling, owner := t.Capacity.Read, t.MaxOnDemand.Read, t.Scaling.Read, "table's"
	if ix != nil && ix.Kind == table.GSI {
		capacity, limit, scaling, owner = ix.Capacity.Read, ix.MaxOnDemand.Read, ix.Scaling.Read, "index's"
	}
	units, what = tableUnits, owner+" default quota"
	lower := func(v source.Value[int64], name string) {
		if n, ok := v.Get(); ok && n > 0 && float64(n) < units {
			units, what = float64(n), owner+" "+name
		}
	}
	switch mode, _ := t.Billing.Get(); mode {
	case table.PayPerRequest:
		lower(limit, "read maximum")
	case table.Provisioned:
		if target, ok := scaling.Get(); ok {
			lower(target.Max, "auto scaling maximum")
		} else if scaling.Absent() {
			lower(capacity, "read capacity")
		}
	}
	return units, what
}

// minScanRate is the calls a second from which a Scan is taken to run all the
// time, rather than as a burst that the reader can pace.
const minScanRate = 1.0 / 60

// scanBytes is the bytes that one pass evaluates: the planner's, else the size
// stated for the table or index.
func (p *Pass) scanBytes(r *plan.Result) (float64, bool) {
	if b, ok := r.Bytes.Get(); ok {
		return b, true
	}
	size := p.Table.SizeBytes
	if _, onIndex := r.Pattern.Index.Get(); onIndex {
		ix := declaredIndex(r)
		if ix == nil {
			return 0, false
		}
		size = ix.SizeBytes
	}
	b, ok := size.Get()
	return float64(b), ok
}

// growing tells whether some entity is declared to gain items.
func growing(t *table.Table) bool {
	for _, e := range t.Entities.Items {
		if g, ok := e.Growth.Get(); ok && g > 0 {
			return true
		}
	}
	return false
}

func scanned(t *table.Table, r *plan.Result) string {
	if n, ok := r.Pattern.Index.Get(); ok {
		return "index " + quoted(n)
	}
	return "table " + quoted(t.DisplayName())
}
