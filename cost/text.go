package cost

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ddbvet/internal/table"
)

// number is a quantity for people: "15,000", "12.5".
func number(x float64) string {
	s := strconv.FormatFloat(math.Round(x*100)/100, 'f', -1, 64)
	whole, frac, dot := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0 && whole[i-1] != '-'; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if dot {
		return whole + "." + frac
	}
	return whole
}

func plural(n float64, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

func unitsText(units float64) string { return number(units) + " " + plural(units, "unit") }

// roundedEach is the arithmetic of n items that are rounded up one by one.
func roundedEach(n, bytes, step float64, how string) string {
	s := fmt.Sprintf("%s %s of %s B → %s KB", number(n), plural(n, "item"), number(bytes), number(steps(bytes, step)*step/1024))
	if n != 1 {
		s += " each"
	}
	if how != "" {
		s += ", " + how
	}
	return s
}

// list is names in order, each once: "a, b".
func list(names []string) string {
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	return strings.Join(names, ", ")
}

func nameOf(e *table.Entity) string {
	name, _ := e.Name.Get()
	return name
}
