package plan

import (
	"strings"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tokEnd tokenKind = iota
	tokWord
	tokName    // #st
	tokValue   // :st
	tokLiteral // "…" or '…'
	tokNumber
	tokSymbol // ( ) [ ] , . and the comparators
)

// A lexeme is one token with its place. Text of a literal is without quotes.
type lexeme struct {
	kind       tokenKind
	text       string
	start, end int
}

// lex cuts an expression into tokens; the last is always tokEnd.
func lex(src string) ([]lexeme, *refusal) {
	if len(src) > maxExprBytes {
		return nil, refuse(0, len(src), "the expression has %d bytes and the limit is %d", len(src), maxExprBytes)
	}
	var out []lexeme
	for at := 0; at < len(src); {
		if strings.IndexByte(" \t\r\n", src[at]) >= 0 {
			at++
			continue
		}
		l, bad := lexOne(src, at)
		if bad != nil {
			return nil, bad
		}
		out = append(out, l)
		at = l.end
	}
	return append(out, lexeme{kind: tokEnd, start: len(src), end: len(src)}), nil
}

func lexOne(src string, at int) (lexeme, *refusal) {
	switch c := src[at]; {
	case c == '"' || c == '\'':
		n := strings.IndexByte(src[at+1:], c)
		if n < 0 {
			return lexeme{}, refuse(at, len(src), "the string that starts here has no closing %c", c)
		}
		return lexeme{tokLiteral, src[at+1 : at+1+n], at, at + n + 2}, nil
	case c == '#' || c == ':':
		end := at + 1
		for end < len(src) && (isWordByte(src[end]) || c == '#' && src[end] == '#') {
			end++
		}
		if end == at+1 {
			return lexeme{}, refuse(at, end, "syntax error: %q stands alone and must be followed by a name", string(c))
		}
		kind := tokName
		if c == ':' {
			kind = tokValue
		}
		return lexeme{kind, src[at:end], at, end}, nil
	case isDigit(c):
		return lexRun(src, at, tokNumber, isDigit), nil
	case isWordByte(c):
		return lexRun(src, at, tokWord, isWordByte), nil
	}
	return lexSymbol(src, at)
}

func lexRun(src string, at int, kind tokenKind, in func(byte) bool) lexeme {
	end := at + 1
	for end < len(src) && in(src[end]) {
		end++
	}
	return lexeme{kind, src[at:end], at, end}
}

func lexSymbol(src string, at int) (lexeme, *refusal) {
	for _, s := range []string{"<=", ">=", "<>"} {
		if strings.HasPrefix(src[at:], s) {
			return lexeme{tokSymbol, s, at, at + 2}, nil
		}
	}
	if strings.IndexByte("()[],.=<>", src[at]) >= 0 {
		return lexeme{tokSymbol, src[at : at+1], at, at + 1}, nil
	}
	if strings.HasPrefix(src[at:], "!=") {
		return lexeme{}, refuse(at, at+2, `syntax error at "!=": the language writes "<>" for unequal`)
	}
	r, n := utf8.DecodeRuneInString(src[at:])
	hint := ""
	if r == '-' {
		hint = `: a name with "-" must be given through names, as in "#n"`
	}
	return lexeme{}, refuse(at, at+n, "invalid character %q%s", r, hint)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isWordByte(c byte) bool {
	return c == '_' || isDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
