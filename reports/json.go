package reports

import (
	"encoding/json"
	"io"

	"github.com/shopspring/decimal"

	"ddbvet/cost"
)

// JSON writes the document of the output contract, indented, keys in the
// contract's order.
func JSON(w io.Writer, r Report, _ Style) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(r.JSON)
}

// jsonDecimals is how far amounts are written: enough for a unit price.
const jsonDecimals = 12

// jsonMoney is an amount as a JSON number, or null when unknown.
func jsonMoney(m cost.Money) *json.Number {
	d, ok := m.Get()
	if !ok {
		return nil
	}
	n := jsonDecimal(d)
	return &n
}

func jsonDecimal(d decimal.Decimal) json.Number {
	return json.Number(d.Round(jsonDecimals).String())
}

// jsonFloat is a measured number without binary noise.
func jsonFloat(f float64) json.Number { return jsonDecimal(decimal.NewFromFloat(f)) }
