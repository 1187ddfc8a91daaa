package load

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"ddbvet/internal/load/near"
	"ddbvet/internal/load/node"
	"ddbvet/internal/load/quantity"
	"ddbvet/internal/load/tomlpos"
)

// The parsers below turn a node into a value, or say what is wrong with it as
// the end of a sentence: "must be a string, not the number 5".

func asText(n *node.Node) (string, string) {
	switch {
	case n.Kind != node.String || n.Tag != "":
		return "", "must be a string, not " + describe(n)
	case strings.TrimSpace(n.Text) == "":
		return "", "must not be empty"
	}
	return n.Text, ""
}

// asLiteral takes any scalar in its written form.
func asLiteral(n *node.Node) (string, string) {
	if n.Kind == node.Seq || n.Kind == node.Map {
		return "", "must be a string, number or bool, not " + describe(n)
	}
	return n.Text, ""
}

func asBool(n *node.Node) (bool, string) {
	if n.Kind != node.Bool {
		return false, "must be true or false, not " + describe(n)
	}
	return n.Text == "true", ""
}

// finite is the number a node holds.
func finite(n *node.Node) (float64, bool) {
	f, err := strconv.ParseFloat(n.Text, 64)
	return f, n.Kind == node.Number && err == nil && !math.IsNaN(f) && !math.IsInf(f, 0)
}

func asWhole(low int64) func(*node.Node) (int64, string) {
	return func(n *node.Node) (int64, string) {
		f, ok := finite(n)
		v, whole := quantity.Whole(f)
		switch {
		case !ok:
			return 0, "must be a whole number, not " + describe(n)
		case !whole:
			return 0, fmt.Sprintf("must be a whole number, not %s", n.Text)
		case v < low:
			return 0, fmt.Sprintf("must be at least %d, not %s", low, n.Text)
		}
		return v, ""
	}
}

// What the quantities look like, for messages.
const (
	amountForm   = `a number such as 5000 or "40M"`
	rateForm     = `a number a second or a rate such as "20/s", "300/min", "5k/h" or "2M/day"`
	dailyForm    = `a number a day or a rate such as "300/h" or "2M/day"`
	sizeForm     = `a size such as "900B", "1.2KB" or "3MB"`
	durationForm = `a length of time such as "12h", "30d" or "1y"`
)

// asAmount takes a number of things, 0 or more, also as "40M".
func asAmount(n *node.Node) (float64, string) { return asQuantity(n, amountForm, quantity.Amount) }

// asRate takes events a second.
func asRate(n *node.Node) (float64, string) {
	return asQuantity(n, rateForm, func(t string) (float64, error) { return quantity.Rate(t, quantity.Second) })
}

// asDaily takes events a day.
func asDaily(n *node.Node) (float64, string) {
	return asQuantity(n, dailyForm, func(t string) (float64, error) { return quantity.Rate(t, quantity.Day) })
}

func asSize(n *node.Node) (int64, string) {
	if n.Kind == node.Number {
		return asWhole(0)(n)
	}
	return asWritten(n, sizeForm, quantity.Size)
}

func asDuration(n *node.Node) (float64, string) {
	return asWritten(n, durationForm, quantity.Duration)
}

// asQuantity takes a number of 0 or more, or a text that parse understands.
func asQuantity(n *node.Node, form string, parse func(string) (float64, error)) (float64, string) {
	if f, ok := finite(n); ok && f >= 0 {
		return f, ""
	}
	return asWritten(n, form, parse)
}

// asWritten takes a text that parse understands.
func asWritten[T any](n *node.Node, form string, parse func(string) (T, error)) (T, string) {
	var none T
	wrong := "must be " + form + ", not " + describe(n)
	if n.Kind != node.String || n.Tag != "" {
		return none, wrong
	}
	v, err := parse(n.Text)
	if err != nil {
		return none, wrong + " (" + err.Error() + ")"
	}
	return v, ""
}

// asPositive is a size of at least one byte: no item is smaller.
func asPositive(n *node.Node) (int64, string) {
	v, wrong := asSize(n)
	if wrong == "" && v < 1 {
		wrong = "must be at least one byte"
	}
	return v, wrong
}

// asShare takes a share from 0 to 1.
func asShare(n *node.Node) (float64, string) {
	f, ok := finite(n)
	if !ok || f < 0 || f > 1 {
		return 0, "must be a share from 0 to 1 (0.04 is 4 %), not " + describe(n)
	}
	return f, ""
}

// oneOf takes one of the words, which are given as pairs of the word and what
// it stands for.
func oneOf(pairs ...string) func(*node.Node) (string, string) {
	return func(n *node.Node) (string, string) {
		var words []string
		for i := 0; i < len(pairs); i += 2 {
			if n.Kind == node.String && n.Tag == "" && n.Text == pairs[i] {
				return pairs[i+1], ""
			}
			words = append(words, strconv.Quote(pairs[i]))
		}
		list := strings.Join(words, ", ")
		if i := strings.LastIndex(list, ", "); i >= 0 {
			list = list[:i] + " or" + list[i+1:]
		}
		return "", "must be " + list + ", not " + describe(n)
	}
}

// words makes oneOf of words that stand for themselves.
func words(list ...string) func(*node.Node) (string, string) {
	var pairs []string
	for _, w := range list {
		pairs = append(pairs, w, w)
	}
	return oneOf(pairs...)
}

// describe names a node in a message.
func describe(n *node.Node) string {
	switch {
	case n.Tag == tomlpos.Datetime:
		return "a date or time"
	case n.Kind == node.String:
		return strconv.Quote(n.Text)
	case n.Kind == node.Number:
		return "the number " + n.Text
	case n.Kind == node.Bool:
		return n.Text
	case n.Kind == node.Seq:
		return "a list"
	}
	return "a table"
}

// nearest returns the name most like word, or "" when none is like it.
func nearest(word string, names []string) string {
	best, least := "", 1+max(1, min(3, len(word)/3))
	for _, n := range names {
		if d := near.Distance(strings.ToLower(word), strings.ToLower(n), least-1); d < least {
			best, least = n, d
		}
	}
	return best
}

// nearestOrAll ends a message about an unknown name.
func nearestOrAll(word string, names []string, intro string) string {
	if n := nearest(word, names); n != "" {
		return fmt.Sprintf(", did you mean %q?", n)
	}
	if len(names) == 0 {
		return ", it has none"
	}
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = strconv.Quote(n)
	}
	return ", " + intro + strings.Join(quoted, ", ")
}
