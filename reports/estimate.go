package reports

import (
	"encoding/json"
	"strings"

	"ddbvet/cost"
	"ddbvet/internal/source"
)

// TableBill is the bill of one table under its shown name.
type TableBill struct {
	Table string
	Bill  cost.Bill
}

type estimateJSON struct {
	Schema     string         `json:"schema"`
	Region     *string        `json:"region"` // null when tables are priced in several Regions
	PricesDate string         `json:"prices_date"`
	Tables     []estimateBill `json:"tables"`
	MonthlyUSD *json.Number   `json:"monthly_usd"`
	Unknown    []string       `json:"unknown"`
	Errors     []errorJSON    `json:"errors"`
}

type estimateBill struct {
	Table      string         `json:"table"`
	Region     string         `json:"region"`
	Lines      []estimateLine `json:"lines"`
	MonthlyUSD *json.Number   `json:"monthly_usd"`
	Unknown    []string       `json:"unknown"`
}

type estimateLine struct {
	Component     string       `json:"component"`
	Class         string       `json:"class"`
	Unit          string       `json:"unit"`
	Quantity      *json.Number `json:"quantity"`
	UnitUSD       json.Number  `json:"unit_usd"`
	MonthlyUSD    *json.Number `json:"monthly_usd"`
	AccessPattern string       `json:"access_pattern"`
	Index         string       `json:"index"`
	Region        string       `json:"region"`
}

// Estimate reports monthly bills. The total is of the known lines; what is
// not in it is named.
func Estimate(bills []TableBill, pricesDate string, errs []*source.Diagnostic) Report {
	doc := estimateJSON{
		Schema: "ddbvet/estimate/v1", PricesDate: pricesDate, Tables: []estimateBill{}, Unknown: []string{}, Errors: errorsJSON(errs),
	}
	blocks := errorBlocks(errs)
	total, regions := cost.Money{}, map[string]bool{}
	for _, b := range bills {
		regions[b.Bill.Region] = true
		doc.Tables = append(doc.Tables, billJSON(b))
		for _, u := range b.Bill.Unknown {
			doc.Unknown = append(doc.Unknown, b.Table+": "+u)
		}
		blocks = append(blocks, billBlocks(b)...)
		if b.Bill.Total.Known() {
			total = plus(total, b.Bill.Total)
		}
	}
	if len(regions) == 1 {
		doc.Region = &bills[0].Bill.Region
	}
	doc.MonthlyUSD = jsonMoney(total)
	if len(bills) > 0 {
		blocks = append(blocks, Heading{1, "Total"}, Paragraph{totalLine(total, len(doc.Unknown)), Strong})
	}
	blocks = append(blocks, Paragraph{"prices of " + pricesDate + ", month of 730 hours, no free tier", Dim})
	return Report{doc, blocks}
}

func totalLine(total cost.Money, unknown int) string {
	line := total.String() + " a month"
	if unknown > 0 {
		line += ", without " + count(unknown, "unknown line")
	}
	return line
}

func billJSON(b TableBill) estimateBill {
	out := estimateBill{b.Table, b.Bill.Region, []estimateLine{}, jsonMoney(b.Bill.Total), notNil(b.Bill.Unknown)}
	for _, l := range b.Bill.Lines {
		line := estimateLine{
			Component: l.Component, Class: l.Class, Unit: l.Unit, UnitUSD: jsonDecimal(l.UnitUSD),
			MonthlyUSD: jsonMoney(l.Monthly), AccessPattern: l.Pattern, Index: l.Index, Region: l.Region,
		}
		if l.Known {
			q := jsonDecimal(l.Quantity)
			line.Quantity = &q
		}
		out.Lines = append(out.Lines, line)
	}
	return out
}

func billBlocks(b TableBill) []Block {
	tab := Table{
		Head:  []string{"component", "of", "quantity", "unit", "unit price", "a month"},
		Right: []bool{false, false, true, false, true, true},
	}
	regional := false
	for _, l := range b.Bill.Lines {
		regional = regional || l.Region != b.Bill.Region
	}
	for _, l := range b.Bill.Lines {
		quantity := "unknown"
		if l.Known {
			quantity = grouped(l.Quantity)
		}
		monthly := Cell{Text: l.Monthly.String()}
		if !l.Monthly.Known() {
			monthly.Tone = Warned
		}
		tab.Rows = append(tab.Rows, []Cell{
			{Text: l.Component},
			{Text: lineSubject(l, regional)},
			{Text: quantity},
			{Text: unitText(l.Unit)},
			{Text: unitPrice(l)},
			monthly,
		})
	}
	blocks := []Block{Heading{1, b.Table + " in " + b.Bill.Region}}
	if len(tab.Rows) > 0 {
		blocks = append(blocks, tab)
	}
	if len(b.Bill.Unknown) > 0 {
		var items []Cell
		for _, u := range b.Bill.Unknown {
			items = append(items, Cell{"not in the total: " + u, Warned})
		}
		blocks = append(blocks, Bullets{items})
	}
	return append(blocks, Paragraph{b.Bill.Total.String() + " a month", Strong})
}

// lineSubject says what a line is of: its pattern, its index and, where a
// table is billed in several, its Region.
func lineSubject(l cost.Line, regional bool) string {
	var parts []string
	for _, p := range []string{l.Pattern, l.Index} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	if len(parts) == 0 {
		parts = []string{"table"}
	}
	subject := strings.Join(parts, " on ")
	if regional {
		subject += ", " + l.Region
	}
	return subject
}

// unitText is a unit of the price book as people write it.
func unitText(unit string) string {
	if gb, ok := strings.CutPrefix(unit, "gb"); ok {
		unit = "GB" + gb
	}
	return strings.ReplaceAll(unit, "_", " ")
}

// unitPrice is a line's price, in at least cents; request units are shown by
// the million, as price lists quote them.
func unitPrice(l cost.Line) string {
	price, per := l.UnitUSD, ""
	if l.Unit == "request_unit" {
		price, per = price.Shift(6), " /M"
	}
	return "$" + price.StringFixed(max(2, -price.Exponent())) + per
}
