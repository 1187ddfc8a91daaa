package quantity_test

import (
	"math"
	"testing"

	"ddbvet/internal/load/quantity"
)

func TestSize(t *testing.T) {
	for text, want := range map[string]int64{
		"0B": 0, "900B": 900, "900": 900, "1KB": 1024, "1.2KB": 1229, "1.5 KB": 1536, "40kb": 40960, "2MB": 2097152,
		"1_000B": 1000, "0.1B": 1, "3GB": 3221225472, "1TB": 1099511627776,
	} {
		if got, err := quantity.Size(text); err != nil || got != want {
			t.Errorf("Size(%q) = %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "KB", "-1KB", "1.2XB", "1..2KB", "1e3KB", "0x10B", "99999999999TB", "1.KB", "NaN", "1 2KB"} {
		if got, err := quantity.Size(text); err == nil {
			t.Errorf("Size(%q) = %d, want an error", text, got)
		}
	}
}

func TestRate(t *testing.T) {
	for text, want := range map[string]float64{
		"20": 20, "20/s": 20, "300/min": 5, "300 / minutes": 5, "3600/h": 1, "5k/h": 5000. / 3600, "2M/day": 2e6 / 86400,
		"1G/month": 1e9 / 2628000, "0.5/second": 0.5, "2k": 2000,
	} {
		if got, err := quantity.Rate(text, quantity.Second); err != nil || got != want {
			t.Errorf("Rate(%q) = %v, %v; want %v", text, got, err, want)
		}
	}
	if got, _ := quantity.Rate("2M/day", quantity.Day); got != 2e6 {
		t.Errorf("2M/day is %v a day", got)
	}
	if got, _ := quantity.Rate("10/s", quantity.Day); got != 864000 {
		t.Errorf("10/s is %v a day", got)
	}
	for _, text := range []string{"", "/s", "20/", "20/m", "20/parsec", "-1/s", "20q/s", "1/2/s"} {
		if got, err := quantity.Rate(text, quantity.Second); err == nil {
			t.Errorf("Rate(%q) = %v, want an error", text, got)
		}
	}
}

func TestDurationAndAmount(t *testing.T) {
	for text, want := range map[string]float64{"30d": 2592000, "12h": 43200, "90 days": 7776000, "1y": 31536000, "1.5min": 90, "2w": 1209600} {
		if got, err := quantity.Duration(text); err != nil || got != want {
			t.Errorf("Duration(%q) = %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"30", "30m", "d", "0d", "ever"} {
		if got, err := quantity.Duration(text); err == nil {
			t.Errorf("Duration(%q) = %v, want an error", text, got)
		}
	}
	if got, err := quantity.Amount("40M"); err != nil || got != 4e7 {
		t.Errorf("Amount(40M) = %v, %v", got, err)
	}
	if got, err := quantity.Amount("40X"); err == nil {
		t.Errorf("Amount(40X) = %v, want an error", got)
	}
}

func TestWhole(t *testing.T) {
	for f, ok := range map[float64]bool{5: true, -3: true, 1.5: false, 1e17: false, math.Inf(1): false} {
		if _, got := quantity.Whole(f); got != ok {
			t.Errorf("Whole(%v) is %v", f, got)
		}
	}
}
