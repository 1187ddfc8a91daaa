package cost

import (
	"ddbvet/internal/plan"
	"ddbvet/internal/table"
)

// BillIn is BillOf for a month of another length.
func BillIn(t *table.Table, plans []plan.Result, book *Book, region string, hours, seconds int64) (Bill, error) {
	return billOf(t, plans, book, region, month{hours, seconds})
}
