package cost

import (
	"strings"

	"github.com/shopspring/decimal"
)

var cent = decimal.New(1, -2)

// dollars formats an exact amount, rounding half away from zero only here.
func dollars(d decimal.Decimal) string {
	sign := ""
	if d.IsNegative() {
		sign, d = "-", d.Neg()
	}
	if d.IsPositive() && d.LessThan(cent) {
		exp := -d.Exponent() - int32(len(d.Coefficient().String())) + 2
		return sign + "$" + d.Round(exp).String()
	}
	whole, frac, _ := strings.Cut(d.StringFixed(2), ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return sign + "$" + whole + "." + frac
}
