package rules

import (
	"fmt"
	"strings"

	"ddbvet/internal/source"
	"ddbvet/internal/table"
)

// The default and adjustable throughput quotas, in read and in write units a
// second, and 80 % of them.
const (
	tableUnits       = 40_000
	tableUnitsNear   = 32_000
	accountUnits     = 80_000
	accountUnitsNear = 64_000
)

var defThroughputQuota = &Rule{
	ID: "def-throughput-quota", Severity: Error, Needs: Definition, Check: checkDefThroughputQuota,
	Doc: Doc{
		Summary:   "the capacity set is over the account's default throughput quotas, or near them",
		Why:       "A table, an index or a scaling action above the quota is refused until AWS has raised it.",
		Fix:       "Have the quota raised before the traffic comes and state it in the configuration, or split the load over tables.",
		Threshold: "40,000 read and 40,000 write units for each table and each global index; 80,000 for provisioned tables of an account, here for one table with its indexes; warning from 80 % of it in capacity. The maximum of auto scaling or of on-demand only counts above the quota",
		Source:    "DynamoDB developer guide: ServiceQuotas (throughput default quotas)",
		Since:     "0.1",
		Bad:       "[[table]]\nname = \"Events\"\npartition_key = \"id:S\"\nbilling = \"provisioned\"\nread_capacity = 50000\nwrite_capacity = 1000",
		Good:      "[[table]]\nname = \"Events\"\npartition_key = \"id:S\"\nbilling = \"provisioned\"\nread_capacity = 20000\nwrite_capacity = 1000",
	},
}

// setting is one number of units that a table or index is given.
type setting struct {
	what    string
	write   bool
	ceiling bool // a maximum that is not capacity in itself
	units   source.Value[int64]
}

func checkDefThroughputQuota(p *Pass) {
	t := p.Table
	mode, ok := t.Billing.Get()
	if !ok {
		p.Skip("", gap("billing mode", t.Billing))
		return
	}
	skipIndexLists(p)
	if mode == table.PayPerRequest {
		// On demand only a maximum is set; capacity would be another fault.
		if f, faulty := quotaFinding(p, nil, maximumSettings(t.MaxOnDemand)); faulty {
			p.Report(f)
		}
		for _, ix := range t.GSIs.Items {
			if f, faulty := quotaFinding(p, ix, maximumSettings(ix.MaxOnDemand)); faulty {
				p.Report(f)
			}
		}
		return
	}
	var sums [2]int64 // of reads and writes of the table and its indexes
	regional := false
	groups := armGroups(t)
	for _, group := range groups {
		for _, a := range group {
			n, _ := a.capacity.Get()
			switch {
			case a.region != "":
				regional = true // quotas are counted in each Region
			case a.write:
				sums[1] += n
			default:
				sums[0] += n
			}
		}
	}
	for _, group := range groups {
		var settings []setting
		for _, a := range group {
			settings = append(settings, armSettings(p, a)...)
		}
		f, faulty := quotaFinding(p, group[0].index, settings)
		if group[0].index == nil && !regional {
			faulty = addAccount(p, sums, &f) || faulty
		}
		if faulty {
			p.Report(f)
		}
	}
}

func maximumSettings(m table.Throughput) []setting {
	return []setting{{"on-demand read maximum", false, true, m.Read}, {"on-demand write maximum", true, true, m.Write}}
}

// armSettings lists the numbers that an arm has or can scale to.
func armSettings(p *Pass, a arm) []setting {
	out := []setting{{a.String(), a.write, false, a.capacity}}
	target, ok := a.scaling.Get()
	switch {
	case ok:
		out = append(out, setting{"auto scaling maximum of " + a.String(), a.write, true, target.Max})
	case a.scaling.Unresolved():
		p.Skip(a.indexName(), gap("auto scaling of "+a.String(), a.scaling))
	}
	return out
}

// quotaFinding joins the settings of a table or index that are over or near
// the quota in one finding, at the first of the worst.
func quotaFinding(p *Pass, ix *table.Index, settings []setting) (f Finding, faulty bool) {
	use := keyUse{Index: ix}
	f.Index = use.indexName()
	var over, near []string
	for _, s := range settings {
		n, ok := s.units.Get()
		if s.units.Unresolved() {
			p.Skip(use.indexName(), gap(s.what, s.units))
		}
		severity := quotaSeverity(n, tableUnitsNear, tableUnits)
		if !ok || severity == 0 || s.ceiling && severity < Error {
			continue // a ceiling at the quota, the service's own default, is no use of it
		}
		if severity > f.Severity {
			f.Severity, f.At = severity, s.units.At
		}
		text := s.what + " " + number(float64(n))
		if severity == Error {
			over = append(over, text)
		} else {
			near = append(near, text)
		}
		f.Numbers = append(f.Numbers, Number{strings.ReplaceAll(strings.ReplaceAll(s.what, "-", "_"), " ", "_"), float64(n)})
	}
	quota := " the default quota of " + number(tableUnits) + " units a second"
	switch {
	case len(over) > 0:
		f.Message = strings.Join(over, ", ") + " of " + use.owner() + ": over" + quota
		if len(near) > 0 {
			f.Message += "; " + strings.Join(near, ", ") + " at or over 80 % of it"
		}
	case len(near) > 0:
		f.Message = strings.Join(near, ", ") + " of " + use.owner() + ": at or over 80 % of" + quota
	default:
		return f, false
	}
	f.Numbers = append(f.Numbers, Number{"limit", tableUnits})
	return f, true
}

// addAccount adds to the table's finding that its capacity and that of its
// indexes together are over or near what the whole account may have.
func addAccount(p *Pass, sums [2]int64, f *Finding) bool {
	n, unit := max(sums[0], sums[1]), "read"
	if sums[1] == n {
		unit = "write"
	}
	severity := quotaSeverity(n, accountUnitsNear, accountUnits)
	if severity == 0 || len(p.Table.GSIs.Items) == 0 {
		return false // alone, the table's own quota says it
	}
	if f.Message != "" {
		f.Message += "; "
	}
	f.Severity, f.At = max(f.Severity, severity), place(f.At, p.Table.At)
	f.Message += fmt.Sprintf("the table and its indexes have %s units of %s capacity together, %s the account's default quota of %s",
		number(float64(n)), unit, overOrNear(severity), number(accountUnits))
	f.Numbers = append(f.Numbers, Number{"sum_" + unit + "_capacity", float64(n)}, Number{"account_limit", accountUnits})
	return true
}

func overOrNear(s Severity) string {
	if s == Error {
		return "over"
	}
	return "at or over 80 % of"
}

// quotaSeverity judges a number against a quota; 0 where it is well under.
func quotaSeverity(n, near, most int64) Severity {
	switch {
	case n > most:
		return Error
	case n >= near:
		return Warning
	}
	return 0
}
