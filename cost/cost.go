// Package cost knows what operations consume and what that costs: request
// units, prices, bills, demand, simulation and the capacity decision. It never
// knows rules or reports, and reads no files but its embedded price book.
package cost

import "github.com/shopspring/decimal"

// HoursPerMonth is the month of every price shown, as in AWS's calculator.
const HoursPerMonth = 730

// GB is the byte count of a billed gigabyte. AWS's documents and its own tools
// disagree (10^9 or 2^30); the project uses 2^30 everywhere.
const GB = 1 << 30

// Money is an exact amount in US dollars, or unknown. The zero Money is
// unknown: an amount that nobody computed is never $0.
type Money struct {
	amount decimal.Decimal
	known  bool
}

// USD is a known amount.
func USD(d decimal.Decimal) Money { return Money{d, true} }

// Get returns the amount and whether it is known.
func (m Money) Get() (decimal.Decimal, bool) { return m.amount, m.known }

// Known tells whether the amount is known.
func (m Money) Known() bool { return m.known }

// Add is the sum; unknown when either is.
func (m Money) Add(o Money) Money {
	if !m.known || !o.known {
		return Money{}
	}
	return USD(m.amount.Add(o.amount))
}

// Sub is m less o; unknown when either is.
func (m Money) Sub(o Money) Money {
	if !m.known || !o.known {
		return Money{}
	}
	return USD(m.amount.Sub(o.amount))
}

// Float is the amount as a float for JSON and comparison, and whether it is known.
func (m Money) Float() (float64, bool) { return m.amount.InexactFloat64(), m.known }

// String is "$1,234.57" rounded half up to the cent, or "unknown". Amounts
// under a cent but over zero print with two significant digits.
func (m Money) String() string {
	if !m.known {
		return "unknown"
	}
	return dollars(m.amount)
}
