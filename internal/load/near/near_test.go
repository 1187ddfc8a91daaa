package near

import (
	"strings"
	"testing"
)

func TestDistance(t *testing.T) {
	long := strings.Repeat("x", longest)
	for _, c := range []struct {
		a, b       string
		most, want int
	}{
		{"", "", 2, 0},
		{"", "ab", 2, 2},
		{"BilingMode", "BillingMode", 2, 1},
		{"Stgae", "Stage", 2, 1}, // neighbours exchanged
		{"kitten", "sitting", 3, 3},
		{"kitten", "sitting", 2, 3},
		{"größe", "grösse", 2, 2},
		{"é", "e", 2, 1}, // letters, not bytes
		{"a", "abcd", 2, 3},
		{long, long, 2, 0},
		{long + "x", long + "x", 2, 3}, // too long to compare
	} {
		if got := Distance(c.a, c.b, c.most); got != c.want {
			t.Errorf("Distance(%q, %q, %d) = %d, want %d", c.a, c.b, c.most, got, c.want)
		}
		if got := Distance(c.b, c.a, c.most); got != c.want {
			t.Errorf("Distance(%q, %q, %d) = %d, want %d", c.b, c.a, c.most, got, c.want)
		}
	}
}
