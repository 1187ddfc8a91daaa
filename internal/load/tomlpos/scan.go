package tomlpos

import (
	"strconv"
	"strings"
)

// maxDepth bounds the nesting of keys, arrays and inline tables, so that
// neither this scanner nor the decoder recurses without end.
const maxDepth = 64

// place is a stretch of the document in bytes; end is exclusive.
type place struct{ start, end int }

// entry is a table, an array or a scalar as it was seen. At is the value; of a
// table, the header or the key that made it.
type entry struct {
	key, at place
	names   []string // of a table, in the order of first mention
	fields  map[string]*entry
	elems   []*entry
}

func (e *entry) field(name string, key, at place) *entry {
	if f := e.fields[name]; f != nil {
		return f
	}
	if e.fields == nil {
		e.fields = map[string]*entry{}
	}
	f := &entry{key: key, at: at}
	e.fields[name], e.names = f, append(e.names, name)
	return f
}

// part is one part of a dotted key.
type part struct {
	name string
	at   place
}

// scanner walks a document. It follows the decoder's grammar on documents that
// the decoder accepts, and ends without a panic on any other.
type scanner struct {
	doc  string
	i    int
	root *entry
	keys [][]string // plain key paths in order, as MetaData.Keys has them
	deep int        // where the nesting first exceeds maxDepth, or -1
}

func scan(doc string) *scanner {
	sc := &scanner{doc: doc, root: &entry{at: place{0, len(doc)}}, deep: -1}
	table, path := sc.root, []string(nil)
	for sc.skip(true); !sc.done(); sc.skip(true) {
		start := sc.i
		switch {
		case strings.HasPrefix(doc[sc.i:], "[["):
			table, path = sc.header(2)
		case sc.peek() == '[':
			table, path = sc.header(1)
		default:
			sc.pair(table, path, 0)
		}
		if sc.i == start {
			sc.i++ // not TOML
		}
	}
	return sc
}

func (sc *scanner) done() bool { return sc.i >= len(sc.doc) }

// peek returns the next byte, or 0 at the end; TOML has no NUL.
func (sc *scanner) peek() byte {
	if sc.done() {
		return 0
	}
	return sc.doc[sc.i]
}

func (sc *scanner) move(n int) { sc.i = min(sc.i+n, len(sc.doc)) }

// nest tells whether depth is allowed; if not, scanning ends.
func (sc *scanner) nest(depth int) bool {
	if depth <= maxDepth {
		return true
	}
	if sc.deep < 0 {
		sc.deep = min(sc.i, len(sc.doc))
	}
	sc.i = len(sc.doc)
	return false
}

// header reads [a.b] (brackets 1) or [[a.b]] (2) and returns the table that
// the following pairs belong to.
func (sc *scanner) header(brackets int) (table *entry, path []string) {
	start := sc.i
	sc.move(brackets)
	key := sc.key()
	sc.move(brackets)
	at := place{start, sc.i}
	table = sc.root
	for i, k := range key {
		path = append(path, k.name)
		next := table.field(k.name, k.at, at)
		if i == len(key)-1 {
			if brackets == 2 {
				next.elems = append(next.elems, &entry{at: at})
			} else if len(next.elems) == 0 {
				next.key, next.at = k.at, at
			}
		}
		if n := len(next.elems); n > 0 {
			next = next.elems[n-1]
		}
		table = next
	}
	sc.keys = append(sc.keys, path)
	return table, path
}

// pair reads key = value into table, whose plain path is path.
func (sc *scanner) pair(table *entry, path []string, depth int) {
	key := sc.key()
	if !sc.nest(depth + len(key)) {
		return
	}
	path = path[:len(path):len(path)]
	for _, k := range key {
		path = append(path, k.name)
		table = table.field(k.name, k.at, k.at)
	}
	sc.keys = append(sc.keys, path)
	sc.skip(false)
	if sc.peek() == '=' {
		sc.i++
	}
	sc.skip(false)
	sc.value(table, path, depth+len(key))
}

// value reads any value into e.
func (sc *scanner) value(e *entry, path []string, depth int) {
	if !sc.nest(depth) {
		return
	}
	start := sc.i
	switch c := sc.peek(); {
	case strings.HasPrefix(sc.doc[sc.i:], `"""`), strings.HasPrefix(sc.doc[sc.i:], `'''`):
		sc.long(c)
	case c == '"' || c == '\'':
		sc.quoted()
	case c == '[':
		sc.list(']', func() {
			el := &entry{}
			e.elems = append(e.elems, el)
			sc.value(el, path, depth+1)
		})
	case c == '{':
		sc.list('}', func() { sc.pair(e, path, depth+1) })
	default:
		for !sc.done() && !strings.ContainsRune(",]}#\r\n", rune(sc.doc[sc.i])) {
			sc.i++
		}
		e.at = place{start, start + len(strings.TrimRight(sc.doc[start:sc.i], " \t"))}
		return
	}
	e.at = place{start, sc.i}
}

// list reads what stands between brackets, one element at a time.
func (sc *scanner) list(end byte, element func()) {
	sc.i++
	for sc.skip(true); !sc.done() && sc.peek() != end; sc.skip(true) {
		start := sc.i
		element()
		sc.skip(true)
		if sc.peek() == ',' {
			sc.i++
		}
		if sc.i == start {
			break // not TOML
		}
	}
	sc.move(1)
}

// key reads a dotted key.
func (sc *scanner) key() (key []part) {
	for {
		sc.skip(false)
		var name string
		start := sc.i
		if c := sc.peek(); c == '"' || c == '\'' {
			name = sc.quoted()
		} else {
			for !sc.done() && bare(sc.doc[sc.i]) {
				sc.i++
			}
			name = sc.doc[start:sc.i]
		}
		key = append(key, part{name, place{start, sc.i}})
		if sc.skip(false); sc.peek() != '.' || !sc.nest(len(key)) {
			return key
		}
		sc.i++
	}
}

func bare(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// quoted reads a one-line string and returns its value.
func (sc *scanner) quoted() string {
	q, start := sc.doc[sc.i], sc.i+1
	for sc.i++; !sc.done() && sc.doc[sc.i] != q && sc.doc[sc.i] != '\n'; {
		if q == '"' && sc.doc[sc.i] == '\\' {
			sc.i++
		}
		sc.move(1)
	}
	raw := sc.doc[start:sc.i]
	sc.move(1)
	if q == '"' {
		return unescape(raw)
	}
	return raw
}

// long reads a string in triple quotes. It ends with the last three of the
// first run of three or more quotes.
func (sc *scanner) long(q byte) {
	sc.move(3)
	for run := 0; !sc.done(); sc.move(1) {
		switch c := sc.doc[sc.i]; {
		case c == q:
			run++
			continue
		case run >= 3:
			return
		case c == '\\' && q == '"':
			sc.move(1)
		}
		run = 0
	}
}

// skip passes blanks and, where lines may end, line ends and comments.
func (sc *scanner) skip(lines bool) {
	for ; !sc.done(); sc.i++ {
		switch c := sc.doc[sc.i]; {
		case c == ' ' || c == '\t':
		case lines && (c == '\n' || c == '\r'):
		case lines && c == '#':
			if n := strings.IndexByte(sc.doc[sc.i:], '\n'); n >= 0 {
				sc.i += n
			} else {
				sc.i = len(sc.doc) - 1
			}
		default:
			return
		}
	}
}

// unescape resolves TOML's escapes; \xHH is a character, not a byte.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		digits := 0
		switch s[i] {
		case 'b':
			b.WriteByte('\b')
		case 't':
			b.WriteByte('\t')
		case 'n':
			b.WriteByte('\n')
		case 'f':
			b.WriteByte('\f')
		case 'r':
			b.WriteByte('\r')
		case 'e':
			b.WriteByte(0x1b)
		case 'x':
			digits = 2
		case 'u':
			digits = 4
		case 'U':
			digits = 8
		default:
			b.WriteByte(s[i])
		}
		if digits > 0 && i+digits < len(s) {
			if r, err := strconv.ParseUint(s[i+1:i+1+digits], 16, 32); err == nil {
				b.WriteRune(rune(r))
			}
			i += digits
		}
	}
	return b.String()
}
