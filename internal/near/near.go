// Package near tells how far two names are apart, for "did you mean".
//
// It owns the measure; which names are compared, and how far is too far, is the
// business of who asks. It must import no other package of this module.
package near

// MaxName bounds the names that are compared, in bytes: a hostile name must not
// cost a quadratic amount. Longer ones are as far apart as they are long.
const MaxName = 255

// Distance is the number of bytes to add, drop, change or swap with their
// neighbour between a and b (Damerau-Levenshtein, each place changed once).
func Distance(a, b string) int {
	if len(a) > MaxName || len(b) > MaxName {
		return max(len(a), len(b))
	}
	before, prev, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(row[j-1]+1, prev[j]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, prev, row = prev, row, before
	}
	return prev[len(b)]
}
