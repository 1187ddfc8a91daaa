package reports

import (
	"strings"
	"unicode"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
)

// clean makes foreign text safe to show on a terminal: line breaks and tabs
// become spaces, other control and format characters (which can reverse or
// hide text) a replacement mark.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\r', r == '\t', r == '\u2028', r == '\u2029':
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == unicode.ReplacementChar:
			return '\uFFFD'
		}
		return r
	}, s)
}

// width is the number of terminal cells a cleaned text takes.
func width(s string) int {
	return twwidth.WidthWithOptions(s, twwidth.Options{})
}

// wrap breaks a text at spaces into lines of at most n cells; a longer word
// stays whole. n < 1 means no limit.
func wrap(s string, n int) []string {
	if n < 1 || width(s) <= n {
		return []string{s}
	}
	var lines []string
	line, used := "", 0
	for _, word := range strings.Fields(s) {
		w := width(word)
		if used > 0 && used+1+w > n {
			lines, line, used = append(lines, line), "", 0
		}
		if used > 0 {
			line, used = line+" ", used+1
		}
		line, used = line+word, used+w
	}
	return append(lines, line)
}
