package node

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// tokenFault says what is wrong inside the token that begins at offset i, or
// "" when the fault is that such a token cannot stand there.
func (p *jsonParser) tokenFault(i int) string {
	if i >= len(p.data) {
		return ""
	}
	switch c := p.data[i]; {
	case c == '"':
		return p.stringFault(i)
	case c == '-' || c >= '0' && c <= '9':
		if word := p.word(i); !json.Valid([]byte(word)) {
			return "malformed number " + strconv.Quote(word)
		}
	case c == '\'':
		return "found a single quote, expected double quotes around text"
	case c == '/' || c == '#':
		return "found a comment, which JSON does not have"
	}
	return ""
}

// stringFault finds what ends a string too early.
func (p *jsonParser) stringFault(i int) string {
	for j := i + 1; j < len(p.data); j++ {
		switch c := p.data[j]; {
		case c == '"':
			if !json.Valid(p.data[i : j+1]) {
				return "malformed escape in the text that begins here"
			}
			return ""
		case c == '\\':
			j++
		case c == '\n' || c == '\r':
			return "the text that begins here has no closing quote on its line"
		case c < 0x20:
			return "the text that begins here holds a control character, expected an escape such as \\t"
		}
	}
	return "the text that begins here is not closed"
}

// word is the run of bytes at i up to a separator.
func (p *jsonParser) word(i int) string {
	j := i
	for j < len(p.data) && j-i < 40 && !separator(p.data[j]) {
		j++
	}
	return string(p.data[i:j])
}

func separator(c byte) bool {
	switch c {
	case ' ', '\t', '\r', '\n', ',', ':', '[', ']', '{', '}', '"':
		return true
	}
	return false
}

// found names what stands at offset i.
func (p *jsonParser) found(i int) string {
	if i >= len(p.data) {
		return "the end of the file"
	}
	if w := p.word(i); w != "" && utf8.ValidString(w) {
		return strconv.Quote(w)
	}
	if p.data[i] == '"' {
		return "a text"
	}
	r, _ := utf8.DecodeRune(p.data[i:])
	return strconv.QuoteRune(r)
}
