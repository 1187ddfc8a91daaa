package source

// Origin says how a Value came to be.
type Origin uint8

// The origins. An Absent fact is known to be left out; an Unresolved one is
// there, or may be there, but cannot be known from what was read.
const (
	IsAbsent Origin = iota
	IsDefaulted
	IsWritten
	IsUnresolved
)

// Value is a fact with the place it was read from. The zero Value is absent.
type Value[T any] struct {
	v      T
	At     Span
	Origin Origin
	Why    string // of an unresolved value: the expression or the reason
}

// Written is a value that stands in the input at the given place.
func Written[T any](v T, at Span) Value[T] { return Value[T]{v: v, At: at, Origin: IsWritten} }

// Defaulted is a value that DynamoDB or the format supplies when nothing is
// written. At is the nearest enclosing place.
func Defaulted[T any](v T, at Span) Value[T] { return Value[T]{v: v, At: at, Origin: IsDefaulted} }

// Unresolved is a value that cannot be known from the input; why names the
// expression ("!Ref Mode has no default") or the format's gap.
func Unresolved[T any](why string, at Span) Value[T] {
	return Value[T]{At: at, Origin: IsUnresolved, Why: why}
}

// Absent is a value known to be left out of the thing at the given place.
func Absent[T any](at Span) Value[T] { return Value[T]{At: at} }

// Get returns the value and whether it is known. Absent and unresolved values
// are not, so neither is ever taken for zero or false by accident.
func (v Value[T]) Get() (T, bool) { return v.v, v.Known() }

// Known tells whether the value was written or has a default.
func (v Value[T]) Known() bool { return v.Origin == IsWritten || v.Origin == IsDefaulted }

// Written tells whether the value stands in the input and is known.
func (v Value[T]) Written() bool { return v.Origin == IsWritten }

// Absent tells whether the value is known to be left out.
func (v Value[T]) Absent() bool { return v.Origin == IsAbsent }

// Unresolved tells whether the value may exist but cannot be known.
func (v Value[T]) Unresolved() bool { return v.Origin == IsUnresolved }

// Is tells whether v is known and equal to want.
func Is[T comparable](v Value[T], want T) bool {
	got, ok := v.Get()
	return ok && got == want
}

// Map applies f to a known value and keeps place and origin.
func Map[T, U any](v Value[T], f func(T) U) Value[U] {
	out := Value[U]{At: v.At, Origin: v.Origin, Why: v.Why}
	if v.Known() {
		out.v = f(v.v)
	}
	return out
}

// List is a list of facts that may be known only in part: Items holds what is
// certain. Where Incomplete is not empty it says why more items may exist, and
// a rule that needs the whole list is not evaluated.
type List[T any] struct {
	Items      []T
	At         Span
	Incomplete string
}

// Complete tells whether Items is the whole list.
func (l List[T]) Complete() bool { return l.Incomplete == "" }
