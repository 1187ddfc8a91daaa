package cost

import (
	"embed"
	"slices"
	"sync"

	"github.com/shopspring/decimal"

	"ddbvet/internal/table"
)

//go:embed prices/*.csv
var priceFiles embed.FS

// Dimension is what a price is of; the names are those of the price book.
type Dimension string

// The dimensions every Region sells, and those that only some do. Request
// units are priced each, capacity an hour, storage a GB-month.
const (
	OnDemandRead            Dimension = "on_demand_rru"
	OnDemandWrite           Dimension = "on_demand_wru"
	OnDemandReplicatedWrite Dimension = "on_demand_rwru"
	ProvisionedRead         Dimension = "provisioned_rcu"
	ProvisionedWrite        Dimension = "provisioned_wcu"
	ProvisionedReplicated   Dimension = "provisioned_rwcu"
	Storage                 Dimension = "storage"
	PITR                    Dimension = "pitr"
	OnDemandBackup          Dimension = "on_demand_backup"
	Restore                 Dimension = "restore"
	ExportFull              Dimension = "export_full"
	ExportIncremental       Dimension = "export_incremental"
	Import                  Dimension = "import"
	StreamsRead             Dimension = "streams_read"
	KinesisCDC              Dimension = "kinesis_cdc"
	Reserved1yReadHourly    Dimension = "reserved_1yr_rcu_hourly"
	Reserved1yReadUpfront   Dimension = "reserved_1yr_rcu_upfront"
	Reserved1yWriteHourly   Dimension = "reserved_1yr_wcu_hourly"
	Reserved1yWriteUpfront  Dimension = "reserved_1yr_wcu_upfront"
	Reserved3yReadHourly    Dimension = "reserved_3yr_rcu_hourly"
	Reserved3yReadUpfront   Dimension = "reserved_3yr_rcu_upfront"
	Reserved3yWriteHourly   Dimension = "reserved_3yr_wcu_hourly"
	Reserved3yWriteUpfront  Dimension = "reserved_3yr_wcu_upfront"
)

// Price is one price of the book, with the list it was read from.
type Price struct {
	Region, Class string // Class is "ANY" where the price is the same for both
	Dimension     Dimension
	Unit          string // "request_unit", "unit_hour", "gb_month", …
	Amount        decimal.Decimal
	Source, Date  string
}

// Book is a set of prices.
type Book struct {
	Date   string // of the newest list that throughput or storage prices come from
	prices map[priceKey]Price
}

type priceKey struct {
	region, class string
	dim           Dimension
}

// AnyClass is the class of a price that is the same for every table class.
const AnyClass = "ANY"

// DefaultBook is the embedded price book.
var DefaultBook = sync.OnceValues(func() (*Book, error) {
	entries, err := priceFiles.ReadDir("prices")
	if err != nil {
		return nil, err
	}
	newest := entries[len(entries)-1].Name()
	f, err := priceFiles.Open("prices/" + newest)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadBook(f)
})

// Price returns the price of a dimension, by class where classes differ, and
// whether the Region sells it.
func (b *Book) Price(region, class string, dim Dimension) (Price, bool) {
	if b == nil {
		return Price{}, false
	}
	if p, ok := b.prices[priceKey{region, class, dim}]; ok {
		return p, true
	}
	p, ok := b.prices[priceKey{region, AnyClass, dim}]
	return p, ok
}

// HasRegion tells whether the book sells tables in the Region.
func (b *Book) HasRegion(region string) bool {
	_, ok := b.Price(region, table.Standard, Storage)
	return ok
}

// Regions lists the Regions of the book in order.
func (b *Book) Regions() []string {
	var out []string
	for k := range b.prices {
		if k.dim == Storage && b.HasRegion(k.region) && !slices.Contains(out, k.region) {
			out = append(out, k.region)
		}
	}
	slices.Sort(out)
	return out
}
