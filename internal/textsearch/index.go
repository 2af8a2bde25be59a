package textsearch

import (
	"math"
	"slices"
)

// Field is how a field of every document counts.
type Field struct {
	// Weight is what one word there is worth.
	Weight float64
	// Length is how much a long text is discounted, from 0 to 1.
	Length float64
	// Doing says that verbs in this field tell what the document does.
	Doing bool
	// Place says that the field tells where the document belongs: a query that has
	// one of its words is about what is there.
	Place bool
	// Compounds adds each pair of neighbours as one word, so that "on-call" is
	// found by "oncall".
	Compounds bool
}

// Index ranks documents. It does not change once made, and is safe for
// concurrent use.
type Index struct {
	documents int
	words     map[string][]posting
	sorted    []string         // the words, for beginnings
	doings    []doing          // of each document
	places    map[string][]int // the documents at a place
}

// posting says what a word is worth in a document.
type posting struct {
	document int
	score    float64
}

// blend is how much the rarity of a word in all fields counts beside that in its
// own.
const blend = 0.5

// saturation is how soon more of the same word in a field stops to count.
const saturation = 1.5

// New makes an index of documents, each with a text for every field.
func New(fields []Field, documents [][]string) *Index {
	x := &Index{documents: len(documents), words: map[string][]posting{}}
	words, average := splitAll(fields, documents)
	scores := make([]map[string]float64, len(documents))
	for d := range scores {
		scores[d] = map[string]float64{}
	}
	stem := remember(stem)
	x.doings, x.places = make([]doing, len(documents)), map[string][]int{}
	for d := range documents {
		for f, field := range fields {
			if field.Doing {
				x.doings[d] |= doingOf(words[d][f])
			}
			if field.Place {
				for _, w := range words[d][f] {
					x.places[stem(w)] = append(x.places[stem(w)], d)
				}
			}
		}
	}
	counted := make([][]map[string]float64, len(fields))
	everywhere := map[string]int{} // how many documents have a word at all
	for d := range documents {
		own := map[string]bool{}
		for f, field := range fields {
			m := count(words[d][f], field.Compounds, stem)
			counted[f] = append(counted[f], m)
			for w := range m {
				own[w] = true
			}
		}
		for w := range own {
			everywhere[w]++
		}
	}
	for f, field := range fields {
		counts := counted[f]
		in := map[string]int{} // how many documents have a word in this field
		for d := range documents {
			for w := range counts[d] {
				in[w]++
			}
		}
		for d := range documents {
			length := 1.0
			if average[f] > 0 {
				length = 1 - field.Length + field.Length*float64(len(words[d][f]))/average[f]
			}
			for w, n := range counts[d] {
				scores[d][w] += field.Weight * (blend*rarity(len(documents), everywhere[w]) + (1-blend)*rarity(len(documents), in[w])) * n / (n + saturation*length)
			}
		}
	}
	for d := range documents {
		for w, score := range scores[d] {
			x.words[w] = append(x.words[w], posting{d, score})
		}
	}
	for w := range x.words {
		x.sorted = append(x.sorted, w)
	}
	slices.Sort(x.sorted)
	return x
}

// count counts the stems of words and, at a lower weight, the words as they are
// and neighbours as one word.
func count(words []string, compounds bool, stem func(string) string) map[string]float64 {
	out := map[string]float64{}
	for i, w := range words {
		if !fillers[w] {
			out[stem(w)]++
			out[asWritten+w]++
		}
		if compounds && i > 0 {
			out[stem(words[i-1]+w)] += compoundWeight
		}
	}
	return out
}

// asWritten begins the entry of a word with its ending: "requests" is nearer to
// "list_requests" than to "create_request".
const asWritten = "="

// compoundWeight is how much two neighbours count as one word.
const compoundWeight = 0.5

// splitAll gives the words of every field of every document, and how many a
// document has in each field on average.
func splitAll(fields []Field, documents [][]string) (words [][][]string, average []float64) {
	average = make([]float64, len(fields))
	for _, texts := range documents {
		list := make([][]string, len(fields))
		for f := range fields {
			list[f] = split(texts[f])
			average[f] += float64(len(list[f])) / float64(len(documents))
		}
		words = append(words, list)
	}
	return words, average
}

// rarity is what a word says about a document that has it.
func rarity(documents, in int) float64 {
	return math.Log(1 + (float64(documents)-float64(in)+0.5)/(float64(in)+0.5))
}

// remember keeps the answers of a function for as long as it is used.
func remember(f func(string) string) func(string) string {
	known := map[string]string{}
	return func(s string) string {
		out, ok := known[s]
		if !ok {
			out = f(s)
			known[s] = out
		}
		return out
	}
}
