// Package near tells how alike two words are, so that loaders can say what a
// slip meant. It does not judge: how near is near enough is the caller's.
package near

// longest is the most letters of a word that is compared; the time grows with
// its square, and the words come from files.
const longest = 100

// Distance is the number of letters to insert, delete, replace or exchange
// with their neighbour to make b of a, or most+1 where it takes more than
// most or a word is over 100 letters long.
func Distance(a, b string, most int) int {
	s, t := []rune(a), []rune(b)
	if d := len(s) - len(t); d > most || -d > most || max(len(s), len(t)) > longest {
		return most + 1
	}
	before, row, next := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(s); i++ {
		next[0] = i
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			next[j] = min(row[j]+1, next[j-1]+1, row[j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row, next = row, next, before
	}
	return min(row[len(t)], most+1)
}
