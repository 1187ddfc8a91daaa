package table

import "strings"

// Mentions tells whether the entity's declaration names the attribute: as an
// attribute, a key, a place in a key template or in its numbers.
func (e *Entity) Mentions(name string) bool {
	if e.Attribute(name) != nil || StatOf(e.Distinct, name).Known() || StatOf(e.Busiest, name).Known() {
		return true
	}
	for _, k := range e.Key {
		if text, _ := k.Text.Get(); k.Attribute == name || strings.Contains(text, "{"+name+"}") {
			return true
		}
	}
	return false
}
