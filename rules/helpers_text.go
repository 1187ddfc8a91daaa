package rules

import (
	"math"
	"strconv"
	"strings"
)

// quoted puts a name in double quotes, as every message does.
func quoted(s string) string { return `"` + s + `"` }

// quotedList is `"a", "b" and "c"`.
func quotedList(names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = quoted(n)
	}
	if len(out) < 2 {
		return strings.Join(out, "")
	}
	return strings.Join(out[:len(out)-1], ", ") + " and " + out[len(out)-1]
}

// number prints a quantity for people: thousands separated, two decimals at
// most, and small ones with two significant digits.
func number(f float64) string {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return "unknown"
	}
	s := strconv.FormatFloat(f, 'f', 2, 64)
	if a := math.Abs(f); a > 0 && a < 0.1 {
		s = strconv.FormatFloat(f, 'g', 2, 64)
		if strings.ContainsRune(s, 'e') {
			return s
		}
	}
	whole, frac, _ := strings.Cut(s, ".")
	frac = strings.TrimRight(frac, "0")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if frac != "" {
		whole += "." + frac
	}
	return sign + whole
}

// byteSize prints bytes as B, KB, MB or GB of 1,024.
func byteSize(b float64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{1 << 30, "GB"}, {1 << 20, "MB"}, {1 << 10, "KB"}} {
		if b >= u.size {
			return number(math.Round(b/u.size*10)/10) + " " + u.name
		}
	}
	return number(b) + " B"
}

// percent prints a share of 0 to 1.
func percent(share float64) string {
	return number(math.Round(share*1000)/10) + " %"
}

// counted is "1 value" or "3 values".
func counted(n float64, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return number(n) + " " + one + "s"
}

// steps is how many steps of the size are begun.
func steps(bytes, size float64) float64 { return math.Ceil(bytes / size) }
