package reports

import (
	"encoding/json"
	"strings"

	"github.com/shopspring/decimal"

	"ddbvet/cost"
)

type pricesJSON struct {
	Schema  string      `json:"schema"`
	Date    string      `json:"prices_date"`
	Sources []string    `json:"sources"`
	Regions []string    `json:"regions"`
	Prices  []priceJSON `json:"prices"`
}

type priceJSON struct {
	Region    string      `json:"region"`
	Class     string      `json:"class"`
	Dimension string      `json:"dimension"`
	Unit      string      `json:"unit"`
	USD       json.Number `json:"usd"`
	Date      string      `json:"date"`
	Source    string      `json:"source"`
}

// Prices reports the price book, and the prices of one Region where one is named.
func Prices(b *cost.Book, region string) Report {
	doc := pricesJSON{Schema: "ddbvet/prices/v1", Date: b.Date, Sources: notNil(b.Sources()), Regions: b.Regions(), Prices: []priceJSON{}}
	blocks := []Block{
		Paragraph{"price book of " + b.Date + ", " + count(len(doc.Regions), "Region"), Strong},
		Paragraph{"source: " + strings.Join(doc.Sources, "; "), Dim},
		Paragraph{strings.Join(doc.Regions, ", "), Plain},
	}
	if region == "" {
		return Report{doc, blocks}
	}
	tab := Table{Head: []string{"what", "class", "USD", "unit", "date"}, Right: []bool{false, false, true, false, false}}
	for _, p := range b.In(region) {
		doc.Prices = append(doc.Prices, priceJSON{p.Region, p.Class, string(p.Dimension), p.Unit, jsonDecimal(p.Amount), p.Date, p.Source})
		tab.Rows = append(tab.Rows, cells(string(p.Dimension), p.Class, p.Amount.String(), unitText(p.Unit), p.Date))
	}
	return Report{doc, append(blocks, Heading{1, region}, tab)}
}

// grouped writes a quantity with thousands separated and at most two decimals.
func grouped(d decimal.Decimal) string {
	s := cost.USD(d.Round(2)).String()
	return strings.TrimSuffix(strings.Replace(s, "$", "", 1), ".00")
}
