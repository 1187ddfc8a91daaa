package serverless

import (
	"encoding/json"
	"errors"
	"strings"

	"ddbvet/internal/load/node"
)

// maxNesting is how deep variables may stand inside variables of one text.
const maxNesting = 50

// part is a piece of a text: literal, or a variable.
type part struct {
	text     string // literal, or the variable as written
	variable []alternative
}

// alternative is one source of a variable, in the order they are tried: a
// typed source, a literal or a nested variable.
type alternative struct {
	kind    string // "self", "file"; "" of a literal or nested variable
	params  [][]part
	address []part
	literal *node.Node // without a place
	nested  []alternative
}

// errSyntax is the fault of a text that looks like a variable and is none.
var errSyntax = errors.New("malformed variable")

// hasVariable tells whether a text may hold a variable or an escaped one.
func hasVariable(text string) bool { return strings.Contains(text, "${") }

// parseText splits a text into literals and variables. What CloudFormation
// fills in itself ("${AWS::Region}", "${Table.Arn}") stays literal.
func parseText(text string) ([]part, error) {
	p := &parser{text: text}
	return p.parts("", 0)
}

type parser struct {
	text string
	pos  int
}

// parts reads up to one of the ending characters, or to the end of the text
// where there are none.
func (p *parser) parts(ends string, depth int) ([]part, error) {
	if depth > maxNesting {
		return nil, errSyntax
	}
	var out []part
	var literal strings.Builder
	flush := func() {
		if literal.Len() > 0 {
			out = append(out, part{text: literal.String()})
			literal.Reset()
		}
	}
	for p.pos < len(p.text) {
		c := p.text[p.pos]
		switch {
		case strings.HasPrefix(p.text[p.pos:], `\${`):
			literal.WriteString("${")
			p.pos += 3
		case c == '\\' && p.pos+1 < len(p.text):
			literal.WriteString(p.text[p.pos : p.pos+2])
			p.pos += 2
		case strings.HasPrefix(p.text[p.pos:], "${") && p.ours():
			start := p.pos
			v, err := p.variable(depth + 1)
			if err != nil {
				return nil, err
			}
			flush()
			out = append(out, part{text: p.text[start:p.pos], variable: v})
		case strings.IndexByte(ends, c) >= 0:
			flush()
			return out, nil
		default:
			literal.WriteByte(c)
			p.pos++
		}
	}
	if ends != "" {
		return nil, errSyntax
	}
	flush()
	return out, nil
}

// ours tells whether the "${" at the place begins a variable of the framework:
// a source's name follows, then ":" or "(".
func (p *parser) ours() bool {
	name := p.name(p.pos + 2)
	after := p.text[p.pos+2+len(name):]
	if name == "" || name[0] < 'a' || name[0] > 'z' || after == "" {
		return false
	}
	return after[0] == '(' || after[0] == ':' && !strings.HasPrefix(after, "::")
}

// name is the source's name at an offset. A dot stands in the older form of a
// source with a Region: cf.eu-west-1.
func (p *parser) name(i int) string {
	j := i
	for j < len(p.text) {
		c := p.text[j]
		if c != '.' && c != '-' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			break
		}
		j++
	}
	return p.text[i:j]
}

// variable reads "${" sources "}".
func (p *parser) variable(depth int) ([]alternative, error) {
	p.pos += 2
	var out []alternative
	for {
		p.space()
		a, err := p.alternative(depth)
		if err != nil {
			return nil, err
		}
		out = append(out, a)
		p.space()
		switch p.next() {
		case '}':
			return out, nil
		case ',':
		default:
			return nil, errSyntax
		}
	}
}

func (p *parser) alternative(depth int) (alternative, error) {
	rest := p.text[p.pos:]
	switch {
	case strings.HasPrefix(rest, "'"), strings.HasPrefix(rest, `"`):
		text, err := p.quoted()
		return alternative{literal: &node.Node{Kind: node.String, Text: text}}, err
	case strings.HasPrefix(rest, "${"):
		if depth > maxNesting || !p.ours() {
			return alternative{}, errSyntax
		}
		v, err := p.variable(depth + 1)
		return alternative{nested: v}, err
	}
	name := p.name(p.pos)
	p.pos += len(name)
	switch {
	case p.accept('('):
		return p.call(name, depth)
	case p.accept(':'):
		address, err := p.address(depth)
		return alternative{kind: name, address: address}, err
	}
	n, ok := literal(name)
	if !ok {
		return alternative{}, errSyntax
	}
	return alternative{literal: n}, nil
}

// call reads the parameters of a source and its address, if it has one.
func (p *parser) call(name string, depth int) (alternative, error) {
	a := alternative{kind: name}
	for {
		p.space()
		if p.accept(')') {
			break
		}
		param, err := p.operand(",)", depth)
		if err != nil {
			return a, err
		}
		a.params = append(a.params, param)
		if !p.accept(',') && !strings.HasPrefix(p.text[p.pos:], ")") {
			return a, errSyntax
		}
	}
	p.space()
	if !p.accept(':') {
		return a, nil
	}
	var err error
	a.address, err = p.address(depth)
	return a, err
}

func (p *parser) address(depth int) ([]part, error) { return p.operand(",}", depth) }

// operand reads a quoted text, or a text with variables up to an ending one.
func (p *parser) operand(ends string, depth int) ([]part, error) {
	p.space()
	if rest := p.text[p.pos:]; strings.HasPrefix(rest, "'") || strings.HasPrefix(rest, `"`) {
		text, err := p.quoted()
		p.space()
		return []part{{text: text}}, err
	}
	parts, err := p.parts(ends, depth)
	if last := len(parts) - 1; last >= 0 && parts[last].variable == nil {
		parts[last].text = strings.TrimSpace(parts[last].text)
	}
	return parts, err
}

// quoted reads a text in single quotes, as it is, or in double quotes, with
// the escapes of JSON.
func (p *parser) quoted() (string, error) {
	quote := p.text[p.pos]
	for i := p.pos + 1; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case c == '\\' && quote == '"':
			i++
		case c == quote:
			raw := p.text[p.pos : i+1]
			p.pos = i + 1
			if quote == '\'' {
				return raw[1 : len(raw)-1], nil
			}
			var text string
			if json.Unmarshal([]byte(raw), &text) != nil {
				return "", errSyntax
			}
			return text, nil
		}
	}
	return "", errSyntax
}

// literal is an unquoted fallback: true, false, null or a number.
func literal(word string) (*node.Node, bool) {
	switch word {
	case "":
		return nil, false
	case "true", "false":
		return &node.Node{Kind: node.Bool, Text: word}, true
	case "null":
		return &node.Node{Kind: node.Null, Text: word}, true
	}
	if !json.Valid([]byte(word)) {
		return nil, false
	}
	return &node.Node{Kind: node.Number, Text: word}, true
}

func (p *parser) space() {
	for p.pos < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.pos]) >= 0 {
		p.pos++
	}
}

// next takes one byte; 0 at the end.
func (p *parser) next() byte {
	if p.pos >= len(p.text) {
		return 0
	}
	p.pos++
	return p.text[p.pos-1]
}

func (p *parser) accept(c byte) bool {
	if p.pos < len(p.text) && p.text[p.pos] == c {
		p.pos++
		return true
	}
	return false
}
