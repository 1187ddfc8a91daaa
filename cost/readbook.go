package cost

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"ddbvet/internal/table"
)

const priceHeader = "region,table_class,dimension,unit,price_usd,source,date"

// bookUnits are the units in which the book must state the dimensions that money
// is computed from: a price per million read as a price each is worse than none.
var bookUnits = map[Dimension]string{
	OnDemandRead: "request_unit", OnDemandWrite: "request_unit", OnDemandReplicatedWrite: "request_unit",
	ProvisionedRead: "unit_hour", ProvisionedWrite: "unit_hour", ProvisionedReplicated: "unit_hour",
	Storage: "gb_month", PITR: "gb_month", OnDemandBackup: "gb_month",
	Restore: "gb", ExportFull: "gb", ExportIncremental: "gb", Import: "gb",
	StreamsRead: "request_unit", KinesisCDC: "cdc_unit",
	Reserved1yReadHourly: "unit_hour", Reserved1yReadUpfront: "unit", Reserved1yWriteHourly: "unit_hour", Reserved1yWriteUpfront: "unit",
	Reserved3yReadHourly: "unit_hour", Reserved3yReadUpfront: "unit", Reserved3yWriteHourly: "unit_hour", Reserved3yWriteUpfront: "unit",
}

// dates tells whether a dimension's list dates the book: those of throughput
// and storage do. Savings plans and others come from lists of their own.
func (d Dimension) dates() bool {
	switch d {
	case OnDemandRead, OnDemandWrite, OnDemandReplicatedWrite,
		ProvisionedRead, ProvisionedWrite, ProvisionedReplicated, Storage:
		return true
	}
	return false
}

// ReadBook reads a price book in the CSV form of the embedded one:
// region,table_class,dimension,unit,price_usd,source,date. Errors name the
// line of the file and what was expected there. Prices of zero are free tiers
// and are left out, so that they never stand for the price that is paid.
// Dimensions that the program does not know are kept under their own names.
func ReadBook(r io.Reader) (*Book, error) {
	in := bufio.NewReader(r)
	if mark, _ := in.Peek(3); string(mark) == "\ufeff" {
		_, _ = in.Discard(3) // a spreadsheet's byte order mark, just peeked at
	}
	rows := csv.NewReader(in)
	head, err := rows.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("price book: 1: no text, expected the header %q", priceHeader)
	}
	if err != nil {
		return nil, bookError(err)
	}
	if got := strings.Join(head, ","); got != priceHeader {
		return nil, fmt.Errorf("price book: 1: header is %q, expected %q", got, priceHeader)
	}
	b := &Book{prices: map[priceKey]Price{}}
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, bookError(err)
		}
		line, _ := rows.FieldPos(0)
		if err := b.add(row); err != nil {
			return nil, fmt.Errorf("price book: %d: %w", line, err)
		}
	}
	if b.Date == "" {
		return nil, errors.New("price book: no price of throughput or storage, expected one at least")
	}
	return b, nil
}

// bookError states a CSV error in the form of the others.
func bookError(err error) error {
	var p *csv.ParseError
	if !errors.As(err, &p) {
		return fmt.Errorf("price book: %w", err)
	}
	if errors.Is(p.Err, csv.ErrFieldCount) {
		return fmt.Errorf("price book: %d: wrong number of fields, expected %s", p.Line, priceHeader)
	}
	return fmt.Errorf("price book: %d: %w", p.Line, p.Err)
}

// add checks one row and keeps its price.
func (b *Book) add(row []string) error {
	p := Price{Region: row[0], Class: row[1], Dimension: Dimension(row[2]), Unit: row[3], Source: row[5], Date: row[6]}
	want, known := bookUnits[p.Dimension]
	var err error
	switch _, badDate := time.Parse(time.DateOnly, p.Date); {
	case p.Region == "" || strings.TrimSpace(p.Region) != p.Region:
		return fmt.Errorf("region is %q, expected a Region such as \"eu-west-1\"", p.Region)
	case p.Class != AnyClass && p.Class != table.Standard && p.Class != table.InfrequentAccess:
		return fmt.Errorf("table class is %q, expected %s, %s or %s", p.Class, table.Standard, table.InfrequentAccess, AnyClass)
	case p.Dimension == "":
		return errors.New("dimension is empty, expected one such as \"on_demand_wru\"")
	case known && p.Unit != want && !zeroPrice(row[4]):
		return fmt.Errorf("unit of %s is %q, expected %q", p.Dimension, p.Unit, want)
	case badDate != nil:
		return fmt.Errorf("date is %q, expected a date such as \"2025-08-28\"", p.Date)
	}
	if p.Amount, err = price(row[4]); err != nil || p.Amount.IsZero() {
		return err
	}
	k := priceKey{p.Region, p.Class, p.Dimension}
	if _, twice := b.prices[k]; twice {
		if !known {
			return nil // tiers of a dimension nobody prices with
		}
		return fmt.Errorf("second price of %s for %s in %s, expected one", k.dim, k.class, k.region)
	}
	b.prices[k] = p
	if p.Dimension.dates() {
		b.Date = max(b.Date, p.Date)
	}
	return nil
}

func zeroPrice(s string) bool {
	d, err := price(s)
	return err == nil && d.IsZero()
}

// price reads an amount of dollars, of a size that prices can have.
func price(s string) (decimal.Decimal, error) {
	d, err := decimal.NewFromString(s[:min(len(s), 41)])
	if err != nil || len(s) > 40 || d.Exponent() < -30 || d.Exponent() > 9 || d.IsNegative() {
		return decimal.Zero, fmt.Errorf("price is %q, expected a decimal number of dollars", s)
	}
	return d, nil
}
