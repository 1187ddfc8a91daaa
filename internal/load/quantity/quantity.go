// Package quantity reads the quantities that people write in a design file:
// sizes, rates, amounts and lengths of time. It knows units, not DynamoDB's
// limits. An error is the reason alone ("unknown unit \"KiBi\""); the caller
// knows what was expected.
package quantity

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
)

// Lengths of time in seconds. A month is the 730 hours that prices use.
const (
	Second = 1
	Minute = 60
	Hour   = 3600
	Day    = 24 * Hour
	Week   = 7 * Day
	Month  = 730 * Hour
	Year   = 365 * Day
)

// Size reads a size such as "1.2KB" in bytes, rounded up to a whole byte. KB,
// MB, GB and TB are powers of 1,024; a bare number is bytes.
func Size(text string) (int64, error) {
	n, rest, err := number(text)
	if err == nil {
		shift, ok := map[string]uint{"": 0, "b": 0, "kb": 10, "kib": 10, "mb": 20, "mib": 20, "gb": 30, "gib": 30, "tb": 40, "tib": 40}[strings.ToLower(rest)]
		if !ok {
			err = fmt.Errorf("unknown unit %q", rest)
		}
		n.Mul(n, new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), shift)))
	}
	if err != nil {
		return 0, err
	}
	q, r := new(big.Int).QuoRem(n.Num(), n.Denom(), new(big.Int))
	if r.Sign() > 0 {
		q.Add(q, big.NewInt(1))
	}
	if !q.IsInt64() {
		return 0, errors.New("it is too large")
	}
	return q.Int64(), nil
}

// Rate reads a rate such as "300/min", "20/s", "5k/h" or "2M/day" and returns
// it in events per so many seconds (Second, Day); a text without a unit is
// already in that measure.
func Rate(text string, per int64) (float64, error) {
	amount, unit, stated := strings.Cut(text, "/")
	n, rest, err := number(amount)
	if err == nil {
		err = scale(n, rest)
	}
	seconds := per
	if err == nil && stated {
		if seconds = length(unit); seconds == 0 {
			err = fmt.Errorf("unknown unit %q", "/"+unit)
		}
	}
	if err != nil {
		return 0, err
	}
	f, _ := n.Mul(n, big.NewRat(per, seconds)).Float64()
	return f, nil
}

// Amount reads a number that may end in k, M or G (thousand, million, 1e9).
func Amount(text string) (float64, error) {
	n, rest, err := number(text)
	if err == nil {
		err = scale(n, rest)
	}
	if err != nil {
		return 0, err
	}
	f, _ := n.Float64()
	return f, nil
}

// Duration reads a length of time such as "30d", "12h" or "1y" in seconds.
func Duration(text string) (float64, error) {
	n, rest, err := number(text)
	seconds := length(rest)
	switch {
	case err != nil:
	case rest == "":
		err = errors.New("the unit is missing")
	case seconds == 0:
		err = fmt.Errorf("unknown unit %q", rest)
	case n.Sign() == 0:
		err = errors.New("it is zero")
	default:
		f, _ := n.Mul(n, big.NewRat(seconds, 1)).Float64()
		return f, nil
	}
	return 0, err
}

// length is a unit of time in seconds, or 0. "m" is none, since it may mean
// minutes or months.
func length(unit string) int64 {
	units := []struct {
		seconds int64
		names   []string
	}{
		{Second, []string{"s", "sec", "second"}},
		{Minute, []string{"min", "minute"}},
		{Hour, []string{"h", "hr", "hour"}},
		{Day, []string{"d", "day"}},
		{Week, []string{"w", "week"}},
		{Month, []string{"month"}},
		{Year, []string{"y", "year"}},
	}
	unit = strings.TrimSpace(unit)
	for _, u := range units {
		if slices.Contains(u.names, unit) || slices.Contains(u.names, strings.TrimSuffix(unit, "s")) {
			return u.seconds
		}
	}
	return 0
}

// scale applies a suffix k, M or G.
func scale(n *big.Rat, suffix string) error {
	factor, ok := map[string]int64{"": 1, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9}[suffix]
	if !ok {
		return fmt.Errorf("unknown suffix %q, expected k, M or G", suffix)
	}
	n.Mul(n, big.NewRat(factor, 1))
	return nil
}

// number splits a text into a leading decimal number and what follows it.
// Underscores between digits are ignored.
func number(text string) (n *big.Rat, rest string, err error) {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "-") {
		return nil, "", errors.New("it is negative")
	}
	end := strings.IndexFunc(text, func(r rune) bool { return (r < '0' || r > '9') && r != '.' && r != '_' })
	if end < 0 {
		end = len(text)
	}
	digits := text[:end]
	n, ok := new(big.Rat).SetString(strings.ReplaceAll(digits, "_", ""))
	if !ok || len(digits) > 40 || strings.Trim(digits, "._") != digits {
		return nil, "", errors.New("no number is readable in it")
	}
	return n, strings.TrimSpace(text[end:]), nil
}

// Whole returns f as an integer, if it is one.
func Whole(f float64) (int64, bool) {
	if f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int64(f), true
}
