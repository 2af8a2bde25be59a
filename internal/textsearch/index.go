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
	ids       map[string]int // of the words
	postings  [][]posting    // by the id of a word
	sorted    []string       // the words, for beginnings
	doings    []doing        // of each document
	places    map[string][]int
}

// posting says what a word is worth in a document.
type posting struct {
	document int
	score    float64
}

const (
	// blend is how much the rarity of a word in all fields counts beside that in its
	// own.
	blend = 0.5
	// saturation is how soon more of the same word in a field stops to count.
	saturation = 1.5
	// compoundWeight is how much two neighbours count as one word.
	compoundWeight = 0.5
	// asWritten begins the entry of a word with its ending: "requests" is nearer to
	// "list_requests" than to "create_request".
	asWritten = "="
)

// New makes an index of documents, each with a text for every field.
func New(fields []Field, documents [][]string) *Index {
	b := builder{fields: fields, known: map[string]entry{}, pairs: map[string]int{},
		x: &Index{documents: len(documents), ids: map[string]int{}, doings: make([]doing, len(documents)), places: map[string][]int{}}}
	for d, texts := range documents {
		b.add(d, texts)
	}
	b.finish()
	return b.x
}

// of gives the postings of a word.
func (x *Index) of(word string) []posting {
	if id, ok := x.ids[word]; ok {
		return x.postings[id]
	}
	return nil
}

// builder makes an index. Words are numbers in it: thousands of documents share a
// small vocabulary.
type builder struct {
	x      *Index
	fields []Field
	known  map[string]entry
	pairs  map[string]int
	// found is what each field of each document has.
	found [][]content
}

type entry struct {
	stem, written int
	filler        bool
}

// content is what one field of one document has.
type content struct {
	words  int
	counts []countOf
}

type countOf struct {
	id int
	n  float64
}

func (b *builder) id(word string) int {
	id, ok := b.x.ids[word]
	if !ok {
		id = len(b.x.ids)
		b.x.ids[word] = id
	}
	return id
}

func (b *builder) entry(word string) entry {
	e, ok := b.known[word]
	if !ok {
		if e.filler = fillers[word]; !e.filler {
			e.stem, e.written = b.id(stem(word)), b.id(asWritten+word)
		}
		b.known[word] = e
	}
	return e
}

func (b *builder) pair(first, second string) int {
	both := first + second
	id, ok := b.pairs[both]
	if !ok {
		id = b.id(stem(both))
		b.pairs[both] = id
	}
	return id
}

// add reads one document.
func (b *builder) add(d int, texts []string) {
	row := make([]content, len(b.fields))
	for f, field := range b.fields {
		words := split(texts[f])
		counts := make([]countOf, 0, 2*len(words))
		for i, w := range words {
			if e := b.entry(w); !e.filler {
				counts = append(counts, countOf{e.stem, 1}, countOf{e.written, 1})
			}
			if field.Compounds && i > 0 {
				counts = append(counts, countOf{b.pair(words[i-1], w), compoundWeight})
			}
			if field.Place {
				b.x.places[stem(w)] = append(b.x.places[stem(w)], d)
			}
		}
		if field.Doing {
			b.x.doings[d] |= doingOf(words)
		}
		row[f] = content{len(words), summed(counts)}
	}
	b.found = append(b.found, row)
}

// summed puts the counts of each word together.
func summed(counts []countOf) []countOf {
	slices.SortFunc(counts, func(a, b countOf) int { return a.id - b.id })
	out := counts[:0]
	for _, c := range counts {
		if n := len(out); n > 0 && out[n-1].id == c.id {
			out[n-1].n += c.n
		} else {
			out = append(out, c)
		}
	}
	return slices.Clip(out)
}

// finish scores every word of every document.
func (b *builder) finish() {
	x, total := b.x, len(b.found)
	in := make([][]int, len(b.fields)) // how many documents have a word in a field
	average := make([]float64, len(b.fields))
	for f := range b.fields {
		in[f] = make([]int, len(x.ids))
		for _, row := range b.found {
			average[f] += float64(row[f].words) / float64(total)
			for _, c := range row[f].counts {
				in[f][c.id]++
			}
		}
	}
	everywhere, last := make([]int, len(x.ids)), make([]int, len(x.ids))
	for d, row := range b.found {
		for _, field := range row {
			for _, c := range field.counts {
				if last[c.id] != d+1 {
					last[c.id] = d + 1
					everywhere[c.id]++
				}
			}
		}
	}
	x.postings = make([][]posting, len(x.ids))
	for d, row := range b.found {
		for f, field := range b.fields {
			length := 1.0
			if average[f] > 0 {
				length = 1 - field.Length + field.Length*float64(row[f].words)/average[f]
			}
			for _, c := range row[f].counts {
				rare := blend*rarity(total, everywhere[c.id]) + (1-blend)*rarity(total, in[f][c.id])
				score := field.Weight * rare * c.n / (c.n + saturation*length)
				list := x.postings[c.id]
				if n := len(list); n > 0 && list[n-1].document == d {
					list[n-1].score += score
				} else {
					x.postings[c.id] = append(list, posting{d, score})
				}
			}
		}
	}
	for w := range x.ids {
		x.sorted = append(x.sorted, w)
	}
	slices.Sort(x.sorted)
}

// rarity is what a word says about a document that has it.
func rarity(documents, in int) float64 {
	return math.Log(1 + (float64(documents)-float64(in)+0.5)/(float64(in)+0.5))
}
