package textsearch

import "sync"

// doing is what a text says is done: a set of kinds. Empty is not known.
type doing uint8

const (
	reads doing = 1 << iota
	creates
	changes
	deletes
	runs
)

// doings are the verbs whose kind is certain enough to hold two texts apart.
// They are made when a search needs them: a worker of the same program has none.
var doings = sync.OnceValue(func() map[string]doing {
	return kindsOf(map[doing]string{
		reads: `get read show fetch retrieve view list search find describe inspect check count explain
		look download export display print summarize browse how who why when where which what`,
		creates:           "create make new add insert append generate register push upload deploy install provision",
		changes:           "update change modify edit rename move patch replace resize",
		creates | changes: "write put set save store",
		deletes:           "delete remove drop erase destroy clear uninstall",
		runs:              "run execute exec trigger restart rerun start stop pause resume",
		changes | runs:    "apply",
		reads | runs:      "query",
	})
})

func kindsOf(lists map[doing]string) map[string]doing {
	out := map[string]doing{}
	for kind, words := range lists {
		for w := range set(words) {
			out[stem(w)] |= kind
		}
	}
	return out
}

// doingOf gives the kinds of all verbs among some words.
func doingOf(words []string) doing {
	var kinds doing
	for _, w := range words {
		kinds |= doings()[stem(w)]
	}
	return kinds
}

// askedFor gives the kind of the first verb of a query: later ones are mostly
// nouns, as words that end in s are ("monitor a page for changes").
func askedFor(words []string) doing {
	for _, w := range words {
		if kind := doings()[stem(w)]; kind != 0 && (w[len(w)-1] != 's' || w == "does") {
			return kind
		}
	}
	return 0
}

// What is left of a score when a document does something else than the query asks
// for: "read a file" is not about delete_file. What deletes is meant only by who
// says so.
const (
	otherDoing    = 0.6
	otherDeletes  = 0.4
	unsaidDeletes = 0.7
)
