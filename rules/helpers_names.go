package rules

import (
	"slices"
	"strings"
	"unicode"
)

// period is how sure a name is to be a span of time, such as a day.
type period uint8

const (
	noPeriod    period = iota
	maybePeriod        // "orderDate": a day, or a moment
	surePeriod         // "yyyy-mm-dd", "hour"
)

var periodWords = []string{"date", "day", "days", "hour", "minute", "month", "week", "year", "quarter", "today", "yearmonth"}

// periodOf judges the name of a place or of an attribute. Moments such as
// "createdAt" or "timestamp" are not periods: each is its own key value.
func periodOf(name string) period {
	plain := strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, name))
	if slices.Contains(periodWords, plain) || dateFormat(plain) {
		return surePeriod
	}
	words := nameWords(name)
	switch last := words[len(words)-1]; {
	case last == "bucket" && len(words) > 1 && slices.Contains(append(periodWords, "time"), words[len(words)-2]):
		return surePeriod
	case slices.Contains(periodWords, last), dateFormat(last):
		return maybePeriod
	}
	return noPeriod
}

// dateFormat tells whether a word is a date pattern that stops at the minute
// or earlier: "yyyymmdd" is, "yyyymmddhhmmss" is not.
func dateFormat(word string) bool {
	rest, ok := strings.CutPrefix(word, "yyyy")
	if !ok {
		return false
	}
	return slices.Contains([]string{"", "mm", "mmdd", "mmddhh", "mmddhhmm", "ww", "q", "ddd"}, rest)
}

// nameWords splits a name at case changes, digits' ends and punctuation, in
// lower case. It returns at least one word.
func nameWords(name string) (words []string) {
	var cur []rune
	flush := func() {
		if len(cur) > 0 {
			words = append(words, strings.ToLower(string(cur)))
			cur = nil
		}
	}
	prev := rune(0)
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			prev = 0
			continue
		case unicode.IsUpper(r) && prev != 0 && !unicode.IsUpper(prev):
			flush()
		}
		cur = append(cur, r)
		prev = r
	}
	flush()
	if len(words) == 0 {
		return []string{""}
	}
	return words
}

// fewValuesName tells whether a name is that of a flag or a short list of
// values. Only a hint.
func fewValuesName(name string) bool {
	words := nameWords(name)
	if len(words) > 1 && (words[0] == "is" || words[0] == "has") {
		return true
	}
	switch words[len(words)-1] {
	case "status", "state", "stage", "phase", "type", "kind", "country", "gender", "severity", "priority",
		"enabled", "active", "deleted", "flag", "bool", "boolean":
		return true
	}
	return false
}

// lifecycleName tells whether a name is that of a state that every new item
// begins in at the same value.
func lifecycleName(name string) bool {
	words := nameWords(name)
	switch words[len(words)-1] {
	case "status", "state", "stage", "phase":
		return true
	}
	return false
}

// momentName tells whether a name is that of a time or a sequence, so that new
// items come at the end of its order.
func momentName(name string) bool {
	if periodOf(name) != noPeriod {
		return true
	}
	words := nameWords(name)
	switch words[len(words)-1] {
	case "at", "ts", "time", "timestamp", "epoch", "seq", "sequence", "ulid", "ksuid", "datetime", "created", "millis", "ms":
		return true
	}
	return false
}

// shardName tells whether a name is that of a shard number.
func shardName(name string) bool {
	words := nameWords(name)
	return slices.Contains(words, "shard") || words[len(words)-1] == "suffix"
}
