package cost

import (
	"github.com/shopspring/decimal"

	"ddbvet/internal/plan"
	"ddbvet/internal/table"
)

// Line is one component of a bill: quantity × unit price = monthly amount. An
// unknown quantity keeps its unit price and leaves Monthly unknown.
type Line struct {
	Component string // "writes", "reads", "storage", "pitr", "replicated writes", …
	Class     string
	Unit      string
	Quantity  decimal.Decimal // a month
	Known     bool            // whether Quantity is known
	UnitUSD   decimal.Decimal
	Monthly   Money
	Pattern   string
	Index     string
	Region    string
}

// Bill is the monthly bill of one table.
type Bill struct {
	Region  string
	Lines   []Line
	Total   Money    // of the known lines
	Unknown []string // what is not in Total and why
}

// BillOf is the monthly bill of a table for its declared workload: request
// units or capacity, storage of table and indexes, PITR and replicas. Prices
// are those of region; it is an error when the book does not hold it.
func BillOf(t *table.Table, plans []plan.Result, book *Book, region string) (Bill, error) {
	panic("to be built")
}
