package reports

import (
	"encoding/json"

	"ddbvet/cost"
	"ddbvet/internal/source"
)

type capacityJSON struct {
	Schema     string         `json:"schema"`
	PricesDate string         `json:"prices_date"`
	Tables     []decisionJSON `json:"tables"`
	Totals     totalsJSON     `json:"totals"`
	Errors     []errorJSON    `json:"errors"`
}

type decisionJSON struct {
	Table       string            `json:"table"`
	Region      string            `json:"region"`
	Verdict     string            `json:"verdict"`
	Current     *optionJSON       `json:"current"`
	Recommended *optionJSON       `json:"recommended"`
	Options     []optionJSON      `json:"options"`
	Saving      rangeJSON         `json:"saving_monthly_usd"`
	Coverage    coverageJSON      `json:"coverage"`
	Reasons     []string          `json:"reasons"`
	Sensitivity []sensitivityJSON `json:"sensitivity"`
	Flip        string            `json:"flip_point"`
}

type optionJSON struct {
	Name             string                 `json:"name"`
	Mode             string                 `json:"mode"`
	Class            string                 `json:"class"`
	Commitment       string                 `json:"commitment"`
	Read             *settingJSON           `json:"read"`
	Write            *settingJSON           `json:"write"`
	Indexes          map[string]indexesJSON `json:"indexes"`
	Monthly          rangeJSON              `json:"monthly_usd"`
	ThrottledUnits   json.Number            `json:"throttled_units"`
	ThrottledShare   json.Number            `json:"throttled_share"`
	ThrottledMinutes int                    `json:"throttled_minutes"`
	Rejected         string                 `json:"rejected,omitempty"`
	Warnings         []string               `json:"warnings"`
}

type indexesJSON struct {
	Read  *settingJSON `json:"read"`
	Write *settingJSON `json:"write"`
}

// settingJSON is units, or min, max and target.
type settingJSON struct {
	Units  *int64 `json:"units,omitempty"`
	Min    *int64 `json:"min,omitempty"`
	Max    *int64 `json:"max,omitempty"`
	Target *int   `json:"target,omitempty"`
}

type rangeJSON struct {
	Low      *json.Number `json:"low"`
	Expected *json.Number `json:"expected"`
	High     *json.Number `json:"high"`
}

type coverageJSON struct {
	Days          json.Number `json:"days"`
	Share         json.Number `json:"share"`
	PeriodSeconds int         `json:"period_seconds"`
	From          string      `json:"from"`
	To            string      `json:"to"`
}

type sensitivityJSON struct {
	What             string       `json:"what"`
	OnDemand         *json.Number `json:"on_demand_usd"`
	Provisioned      *json.Number `json:"provisioned_usd"`
	ThrottledShare   json.Number  `json:"throttled_share"`
	ThrottledMinutes json.Number  `json:"throttled_minutes_a_week"`
	Rejected         string       `json:"rejected,omitempty"`
	Cheaper          string       `json:"cheaper"`
}

type totalsJSON struct {
	Current  *json.Number   `json:"current_monthly_usd"`
	Saving   *json.Number   `json:"saving_monthly_usd"`
	Verdicts map[string]int `json:"verdicts"`
	Unpriced int            `json:"tables_without_current_cost"`
}

// Capacity reports the decisions of a run. Totals count each table once: the
// saving is of the tables whose verdict is to switch.
func Capacity(decisions []cost.Decision, pricesDate string, errs []*source.Diagnostic) Report {
	doc := capacityJSON{Schema: "ddbvet/capacity/v1", PricesDate: pricesDate, Tables: []decisionJSON{}, Errors: errorsJSON(errs)}
	blocks := errorBlocks(errs)
	for i := range decisions {
		doc.Tables = append(doc.Tables, decision(&decisions[i]))
		blocks = append(blocks, decisionBlocks(&decisions[i])...)
	}
	t := totals(decisions)
	doc.Totals = totalsJSON{jsonMoney(t.current), jsonMoney(t.saving), t.verdicts, t.unpriced}
	return Report{doc, append(blocks, totalBlocks(t, len(decisions), pricesDate)...)}
}

type fleet struct {
	current, saving cost.Money
	verdicts        map[string]int
	unpriced        int
}

func totals(decisions []cost.Decision) fleet {
	f := fleet{verdicts: map[string]int{}}
	for i := range decisions {
		d := &decisions[i]
		f.verdicts[string(d.Verdict)]++
		if d.Current == nil || !d.Current.Monthly.Expected.Known() {
			f.unpriced++
		} else {
			f.current = plus(f.current, d.Current.Monthly.Expected)
		}
		if d.Verdict == cost.Switch {
			f.saving = plus(f.saving, d.Saving.Expected)
		}
	}
	return f
}

// plus adds a known amount to a total that may not have begun.
func plus(total, m cost.Money) cost.Money {
	if !total.Known() {
		return m
	}
	return total.Add(m)
}

func decision(d *cost.Decision) decisionJSON {
	c := d.Coverage()
	out := decisionJSON{
		Table: d.Table, Region: d.Region, Verdict: string(d.Verdict), Options: []optionJSON{},
		Saving: moneyRange(d.Saving), Reasons: notNil(d.Reasons), Sensitivity: []sensitivityJSON{}, Flip: d.Flip.Text,
		Coverage: coverageJSON{jsonFloat(c.Days), jsonFloat(c.Share), c.PeriodSeconds, rfc3339(c.From), rfc3339(c.To)},
	}
	if d.Current != nil {
		o := optionDoc(d.Current)
		out.Current = &o
	}
	if d.Recommended != nil {
		o := optionDoc(d.Recommended)
		out.Recommended = &o
	}
	for i := range d.Options {
		out.Options = append(out.Options, optionDoc(&d.Options[i]))
	}
	for _, r := range d.Sensitivity {
		out.Sensitivity = append(out.Sensitivity, sensitivityJSON{
			r.What, jsonMoney(r.OnDemand), jsonMoney(r.Provisioned), jsonFloat(r.ThrottledShare), jsonFloat(r.ThrottledMinutes), r.Rejected, r.Cheaper,
		})
	}
	return out
}

func optionDoc(o *cost.Option) optionJSON {
	out := optionJSON{
		Name: o.Name, Mode: o.Mode, Class: o.Class, Commitment: "none", Indexes: map[string]indexesJSON{}, Monthly: moneyRange(o.Monthly),
		ThrottledUnits: jsonFloat(o.ThrottledUnits), ThrottledShare: jsonFloat(o.ThrottledShare), ThrottledMinutes: o.ThrottledMinutes,
		Rejected: o.Rejected, Warnings: notNil(o.Warnings),
	}
	for _, s := range o.Settings {
		if s.Index == "" {
			out.Read, out.Write = setting(s.Read), setting(s.Write)
		} else {
			out.Indexes[s.Index] = indexesJSON{setting(s.Read), setting(s.Write)}
		}
	}
	return out
}

func setting(s cost.Setting) *settingJSON {
	if s.Scaled() {
		return &settingJSON{Min: &s.Min, Max: &s.Max, Target: &s.Target}
	}
	return &settingJSON{Units: &s.Units}
}

func moneyRange(r cost.Range) rangeJSON {
	return rangeJSON{jsonMoney(r.Low), jsonMoney(r.Expected), jsonMoney(r.High)}
}
