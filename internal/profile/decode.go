package profile

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// maxDepth is how deep lists and maps may nest. Source: developer guide,
// "Constraints in DynamoDB", nested attributes.
const maxDepth = 32

// Decode reads one item in DynamoDB JSON. It refuses what the service would
// refuse: unknown types, invalid numbers, empty sets and sets with the same
// element twice, names given twice, lists and maps nested over 32 deep.
func Decode(data []byte) (Item, error) {
	if !utf8.Valid(data) {
		return nil, errors.New("item is not valid UTF-8")
	}
	d := decoder{json.NewDecoder(bytes.NewReader(data))}
	d.UseNumber()
	item, err := d.entries(0)
	if err != nil {
		return nil, fmt.Errorf("item at byte %d: %w", d.InputOffset(), err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("item at byte %d: more text after the item", d.InputOffset())
	}
	return item, nil
}

type decoder struct{ *json.Decoder }

func (d decoder) token() (json.Token, error) {
	t, err := d.Token()
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return t, err
}

// open reads the opening of an object or list.
func (d decoder) open(want json.Delim) error {
	t, err := d.token()
	if err == nil && t != want {
		err = fmt.Errorf("%s, expected %s", describe(t), want)
	}
	return err
}

// entries reads an object whose values are DynamoDB values: an item or a map.
func (d decoder) entries(depth int) ([]Attribute, error) {
	if err := d.open('{'); err != nil {
		return nil, err
	}
	var out []Attribute
	seen := map[string]bool{}
	for d.More() {
		name, err := d.name()
		if err != nil {
			return nil, err
		}
		if seen[name] {
			return nil, fmt.Errorf("attribute %s is given twice", quote(name))
		}
		seen[name] = true
		v, err := d.value(depth)
		if err != nil {
			return nil, fmt.Errorf("attribute %s: %w", quote(name), err)
		}
		out = append(out, Attribute{name, v})
	}
	_, err := d.token()
	return out, err
}

// name reads an object's key, which the decoder has checked to be a string.
func (d decoder) name() (string, error) {
	t, err := d.token()
	if err != nil {
		return "", err
	}
	name, ok := t.(string)
	if !ok {
		return "", fmt.Errorf("%s, expected a name", describe(t))
	}
	return name, nil
}

// value reads {"TYPE": …}, exactly one entry.
func (d decoder) value(depth int) (Value, error) {
	if err := d.open('{'); err != nil {
		return Value{}, err
	}
	if !d.More() {
		return Value{}, errors.New("a value without a type")
	}
	typ, err := d.name()
	if err != nil {
		return Value{}, err
	}
	v, err := d.content(typ, depth)
	if err != nil {
		return Value{}, fmt.Errorf("%s: %w", quote(typ), err)
	}
	if d.More() {
		return Value{}, errors.New("a value with more than one type")
	}
	_, err = d.token()
	return v, err
}

func (d decoder) content(typ string, depth int) (v Value, err error) {
	v.Type = typ
	switch typ {
	case "S", "N", "B":
		return d.scalar(typ)
	case "BOOL", "NULL":
		t, err := d.token()
		if b, ok := t.(bool); err == nil && (!ok || typ == "NULL" && !b) {
			err = fmt.Errorf("%s, expected true%s", describe(t), map[string]string{"BOOL": " or false"}[typ])
		}
		return v, err
	case "SS", "NS", "BS":
		v.Elements, err = d.set(typ[:1])
		return v, err
	}
	if depth++; depth > maxDepth {
		return v, fmt.Errorf("nested over %d deep", maxDepth)
	}
	switch typ {
	case "M":
		v.Entries, err = d.entries(depth)
	case "L":
		v.Elements, err = d.list(func() (Value, error) { return d.value(depth) })
	default:
		err = errors.New("not a type: expected S, N, B, BOOL, NULL, SS, NS, BS, L or M")
	}
	return v, err
}

// scalar reads a string and checks it for its type.
func (d decoder) scalar(typ string) (Value, error) {
	v := Value{Type: typ}
	t, err := d.token()
	if err != nil {
		return v, err
	}
	text, ok := t.(string)
	if !ok {
		return v, fmt.Errorf("%s, expected a string", describe(t))
	}
	switch typ {
	case "N":
		_, err = parseNumber(text)
	case "B":
		if v.Bytes, err = base64.StdEncoding.DecodeString(text); err != nil {
			return v, fmt.Errorf("%s is not base64", quote(text))
		}
		return v, nil
	}
	v.Text = text
	return v, err
}

func (d decoder) list(element func() (Value, error)) (out []Value, err error) {
	if err := d.open('['); err != nil {
		return nil, err
	}
	for d.More() {
		v, err := element()
		if err != nil {
			return nil, fmt.Errorf("element %d: %w", len(out), err)
		}
		out = append(out, v)
	}
	_, err = d.token()
	return out, err
}

// set reads the elements of a set, which has at least one and none twice.
func (d decoder) set(typ string) ([]Value, error) {
	seen := map[any]bool{}
	out, err := d.list(func() (Value, error) {
		v, err := d.scalar(typ)
		if err != nil {
			return v, err
		}
		id := identity(v)
		if seen[id] {
			return v, errors.New("is in the set twice")
		}
		seen[id] = true
		return v, nil
	})
	if err == nil && len(out) == 0 {
		err = errors.New("an empty set")
	}
	return out, err
}

// identity is equal for equal scalars: numbers by value, not by spelling.
func identity(v Value) any {
	switch v.Type {
	case "N":
		n, _ := parseNumber(v.Text) // checked when it was read
		return n
	case "B":
		return string(v.Bytes)
	}
	return v.Text
}

func describe(t json.Token) string {
	switch t := t.(type) {
	case nil:
		return "null"
	case string:
		return "string " + quote(t)
	case json.Number:
		return "number " + quote(t.String())
	}
	return fmt.Sprint(t)
}
