package cost

type Direction string
const (
	Reads Direction="read"
	Writes Direction="write"
)
