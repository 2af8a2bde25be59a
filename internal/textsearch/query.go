package textsearch

import (
	"math"
	"slices"
	"sort"
	"strings"
)

const (
	// maxTerms is how many words of a query count.
	maxTerms = 60
	// maxBeginnings is how many words a beginning stands for.
	maxBeginnings = 30
)

const (
	// beginningWeight and slipWeight are what a word counts that only begins like
	// the one looked for, or differs from it in one letter.
	beginningWeight = 0.5
	slipWeight      = 0.4
	// pairWeight is what two neighbours of a query count as one word.
	pairWeight = 1.0
	// asWrittenWeight is what the same ending adds.
	asWrittenWeight = 0.2
	// coverage is how much of a score hangs on how much of the query was found.
	coverage = 0.5
	// placeFactor raises what is at a place that a query names.
	placeFactor = 1.8
)

// Scores gives each document a score for a query; zero means that it has none of
// its words.
func (x *Index) Scores(query string) []float64 {
	if x.documents == 0 {
		return nil
	}
	scores := make([]float64, x.documents)
	matched := make([]float64, x.documents) // how much of the query a document has
	total := 0.0
	best := make([]float64, x.documents)
	terms := termsOf(query)
	for _, t := range terms {
		// A word and those that stand for it count once in a document: the best.
		clear(best)
		for _, a := range x.alternatives(t) {
			for _, p := range x.of(a.word) {
				best[p.document] = max(best[p.document], a.weight*p.score)
			}
		}
		for _, p := range x.of(asWritten + t.word) {
			best[p.document] += asWrittenWeight * p.score
		}
		most := slices.Max(best)
		if most == 0 { // nobody has the word: it tells nothing apart
			continue
		}
		if !t.extra {
			total += t.weight
		}
		for d, score := range best {
			if score > 0 {
				scores[d] += t.weight * score
				if !t.extra {
					matched[d] += t.weight * math.Sqrt(score/most)
				}
			}
		}
	}
	if total > 0 { // a document with all of the words before one with much of a single
		for d := range scores {
			scores[d] *= 1 - coverage + coverage*min(1, matched[d]/total)
		}
	}
	x.holdApart(query, terms, scores)
	return scores
}

// holdApart lowers what does another thing than the query asks for, and raises
// what is at a place that it names.
func (x *Index) holdApart(query string, terms []term, scores []float64) {
	asked := askedFor(split(query))
	for d, own := range x.doings {
		switch {
		case asked == 0 && own == deletes:
			scores[d] *= unsaidDeletes
		case asked == 0 || own == 0 || own&asked != 0:
		case own == deletes:
			scores[d] *= otherDeletes
		default:
			scores[d] *= otherDoing
		}
	}
	at := map[int]bool{}
	for _, t := range terms {
		for _, a := range append(x.alternatives(t), alternative{stem(t.word), 1}) {
			for _, d := range x.places[a.word] {
				at[d] = true
			}
		}
	}
	for d := range at {
		scores[d] *= placeFactor
	}
}

// term is one word that a query looks for.
type term struct {
	word   string // in lower case
	weight float64
	// extra terms add to a score and are not missed.
	extra bool
	// exact terms have no alternatives.
	exact bool
}

// termsOf gives the words of a query, each once. When there is nothing but
// fillers, they count.
func termsOf(query string) []term {
	words := split(query)
	var out []term
	seen := map[string]bool{}
	add := func(t term) {
		if key := stem(t.word); !seen[key] && len(out) < maxTerms {
			seen[key] = true
			out = append(out, t)
		}
	}
	text, hints := asked(words)
	for _, w := range text {
		if !fillers[w] {
			weight := 1.0
			if verbs()[stem(w)] != nil {
				weight = doingWeight
			}
			add(term{word: w, weight: weight})
		}
	}
	for _, w := range hints {
		add(term{word: w, weight: hintWeight, extra: true, exact: true})
	}
	if len(out) == 0 {
		for _, w := range words {
			add(term{word: w, weight: 1})
		}
	}
	for i := 1; i < len(words); i++ {
		add(term{word: words[i-1] + words[i], weight: pairWeight, extra: true, exact: true})
	}
	return out
}

// alternative is a word of the index that stands for one of a query.
type alternative struct {
	word   string
	weight float64
}

// alternatives are the words of the index that a query's word may mean: itself,
// those of the same meaning, those that begin like it, and, when there is nothing
// of the kind, those that a slip of the finger makes of it.
func (x *Index) alternatives(t term) []alternative {
	own := stem(t.word)
	var out []alternative
	if len(x.of(own)) > 0 {
		out = append(out, alternative{own, 1})
	}
	if t.exact {
		return out
	}
	for _, other := range verbs()[own] {
		out = append(out, alternative{other, verbWeight})
	}
	for _, other := range things()[own] {
		out = append(out, alternative{other, thingWeight})
	}
	if len(own) >= 4 {
		at := sort.SearchStrings(x.sorted, own)
		for n := 0; at < len(x.sorted) && n < maxBeginnings && strings.HasPrefix(x.sorted[at], own); at++ {
			if x.sorted[at] != own {
				out = append(out, alternative{x.sorted[at], beginningWeight * float64(len(own)) / float64(len(x.sorted[at]))})
				n++
			}
		}
	}
	if !x.any(out) && len(t.word) >= 4 {
		out = x.slips(t.word)
	}
	return out
}

// slips are the words, as written, with the same first letter that differ in one
// place.
func (x *Index) slips(word string) []alternative {
	var out []alternative
	begin := asWritten + word[:1]
	at := sort.SearchStrings(x.sorted, begin)
	for ; at < len(x.sorted) && strings.HasPrefix(x.sorted[at], begin) && len(out) < maxBeginnings; at++ {
		if oneApart(asWritten+word, x.sorted[at]) || oneApart(asWritten+word+"s", x.sorted[at]) {
			out = append(out, alternative{x.sorted[at], slipWeight})
		}
	}
	return out
}

// oneApart reports whether one byte added, dropped, changed or swapped with its
// neighbour makes b of a.
func oneApart(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	if i == len(a) {
		return false
	}
	if a[i+1:] == b[i+1:] {
		return true
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

func (x *Index) any(list []alternative) bool {
	return slices.ContainsFunc(list, func(a alternative) bool { return len(x.of(a.word)) > 0 })
}
