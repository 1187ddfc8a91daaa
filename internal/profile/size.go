// Package profile measures items: the exact size of DynamoDB values and what
// is common to many items. It is not a client and stores no values: what it
// says of items are sizes, counts and shares.
package profile

import (
	"errors"
	"fmt"
	"strings"
)

// MaxItemBytes is DynamoDB's limit for one item, names included (400 KB).
const MaxItemBytes = 400 * 1024

// Sizes in bytes that DynamoDB adds to lists and maps: once for each list or
// map, empty ones too, and once for each element or entry in it. Source:
// developer guide, "DynamoDB capacity unit consumption", item sizes.
const (
	containerBytes = 3
	elementBytes   = 1
)

// Value is one DynamoDB value. Type says which field holds it: Text of S and
// N, Bytes of B, Elements of L and of the sets SS, NS and BS, Entries of M.
// BOOL and NULL have the same size whatever they hold.
type Value struct {
	Type     string
	Text     string
	Bytes    []byte
	Elements []Value
	Entries  []Attribute
}

// Attribute is a named value: of an item, or an entry of a map.
type Attribute struct {
	Name  string
	Value Value
}

// Item is the attributes of one item in the order they were written.
type Item []Attribute

// Size is the item's size in bytes as DynamoDB counts it for limits and units:
// the UTF-8 length of every name and the size of every value. The 100 bytes
// that billed storage adds to an item are not in it.
func (it Item) Size() (int, error) {
	total := 0
	for _, a := range it {
		n, err := a.Value.Size()
		if err != nil {
			return 0, fmt.Errorf("attribute %q: %w", a.Name, err)
		}
		total += len(a.Name) + n
	}
	return total, nil
}

// ItemSize is the size in bytes of one item in DynamoDB JSON, such as
// {"id":{"S":"x"}}.
func ItemSize(data []byte) (int, error) {
	item, err := Decode(data)
	if err != nil {
		return 0, err
	}
	return item.Size()
}

// Size is the value's size in bytes without its attribute's name.
func (v Value) Size() (int, error) {
	switch v.Type {
	case "S":
		return len(v.Text), nil
	case "N":
		return NumberSize(v.Text)
	case "B":
		return len(v.Bytes), nil
	case "BOOL", "NULL":
		return 1, nil
	case "SS", "NS", "BS":
		return sum(v.Elements, 0)
	case "L":
		n, err := sum(v.Elements, elementBytes)
		return containerBytes + n, err
	case "M":
		n, err := Item(v.Entries).Size()
		return containerBytes + elementBytes*len(v.Entries) + n, err
	}
	return 0, fmt.Errorf("type %q is not one of S, N, B, BOOL, NULL, SS, NS, BS, L, M", v.Type)
}

func sum(elements []Value, overhead int) (total int, err error) {
	for i, e := range elements {
		n, err := e.Size()
		if err != nil {
			return 0, fmt.Errorf("element %d: %w", i, err)
		}
		total += n + overhead
	}
	return total, nil
}

// NumberSize is the size in bytes of a DynamoDB number in decimal notation.
//
// The guide says "about one byte for two significant digits, plus one". The
// exact form was measured against the service by bisecting the item size
// limit: the digits without leading and trailing zeros are split at the
// decimal point, each side takes a byte for two digits rounded up, and there
// is one byte more for the exponent and one for a minus sign. Zero takes one.
func NumberSize(s string) (int, error) {
	n, err := parseNumber(s)
	if err != nil || n.digits == "" {
		return 1, err
	}
	whole := min(max(n.point, 0), len(n.digits))
	size := (whole+1)/2 + (len(n.digits)-whole+1)/2 + 1
	if n.negative {
		size++
	}
	return size, nil
}

// number is ±0.digits × 10^point with neither leading nor trailing zeros in
// digits; zero has no digits and no sign, so equal numbers are equal structs.
type number struct {
	negative bool
	digits   string
	point    int
}

// The precision and the range of numbers: 38 digits, 1E-130 to 9.99…E+125.
const (
	maxDigits   = 38
	maxExponent = 125
	minExponent = -130
)

func parseNumber(s string) (number, error) {
	bad := func(why string) (number, error) {
		return number{}, fmt.Errorf("number %s %s", quote(s), why)
	}
	mantissa, exponent, hasExponent := cutExponent(s)
	negative := strings.HasPrefix(mantissa, "-")
	if negative || strings.HasPrefix(mantissa, "+") {
		mantissa = mantissa[1:]
	}
	whole, frac, _ := strings.Cut(mantissa, ".")
	if whole+frac == "" || !allDigits(whole) || !allDigits(frac) {
		return bad("is not a decimal number")
	}
	power := 0
	if hasExponent {
		var err error
		if power, err = parseExponent(exponent); err != nil {
			return bad("is not a decimal number")
		}
	}
	all := whole + frac
	digits := strings.TrimLeft(all, "0")
	point := len(whole) - (len(all) - len(digits)) + power
	digits = strings.TrimRight(digits, "0")
	switch {
	case digits == "":
		return number{}, nil
	case len(digits) > maxDigits:
		return bad(fmt.Sprintf("has %d significant digits, at most %d are kept", len(digits), maxDigits))
	case point-1 > maxExponent:
		return bad("is beyond 9.99E+125")
	case point-1 < minExponent:
		return bad("is closer to zero than 1E-130")
	}
	return number{negative, digits, point}, nil
}

func cutExponent(s string) (mantissa, exponent string, found bool) {
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}

// parseExponent reads a signed whole number; one that is out of any range is
// brought near enough to stay out of it without overflowing.
func parseExponent(s string) (int, error) {
	sign := 1
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		sign, s = -1, rest
	} else {
		s = strings.TrimPrefix(s, "+")
	}
	if s == "" || !allDigits(s) {
		return 0, errors.New("no exponent")
	}
	n := 0
	for _, d := range s {
		n = min(n*10+int(d-'0'), 1<<40)
	}
	return sign * n, nil
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// quote quotes a value for a message, and only the start of a long one.
func quote(s string) string {
	if len(s) > 60 {
		s = s[:60] + "…"
	}
	return fmt.Sprintf("%q", s)
}
