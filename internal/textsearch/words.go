// Package textsearch ranks short texts with several fields by the words of a
// query: BM25F over stemmed words, with words that mean the same.
//
// It owns how text becomes words and how documents are scored. It knows nothing
// of tools, and must import no other package of this module.
package textsearch

import (
	"strings"
	"sync"
	"unicode"

	"github.com/kljensen/snowball/english"
)

const (
	// maxWords is how many words of one field count.
	maxWords = 1000
	// maxWord is the longest word that counts, in bytes.
	maxWord = 60
)

// split gives the words of camelCase, snake_case, kebab-case and prose in lower
// case, in their order.
func split(s string) []string {
	var out []string
	runes := []rune(s)
	start := -1
	flush := func(end int) {
		if start >= 0 && len(out) < maxWords {
			if w := strings.ToLower(string(runes[start:end])); len(w) <= maxWord {
				out = append(out, w)
			}
		}
		start = -1
	}
	for i, r := range runes {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			// "user's" is about a user
			if r == '\'' && start >= 0 && i+1 < len(runes) && runes[i+1] == 's' && (i+2 == len(runes) || !unicode.IsLetter(runes[i+2])) {
				flush(i)
				runes[i+1] = ' '
				continue
			}
			flush(i)
			continue
		}
		if start >= 0 && unicode.IsUpper(r) {
			before := runes[i-1]
			endOfAcronym := unicode.IsUpper(before) && i+1 < len(runes) && unicode.IsLower(runes[i+1])
			if unicode.IsLower(before) || endOfAcronym {
				flush(i)
			}
		}
		if start < 0 {
			start = i
		}
	}
	flush(len(runes))
	return out
}

// stem takes the endings off, so that "creating" and "created" are one word.
func stem(w string) string {
	for i := range len(w) {
		if w[i] < 'a' || w[i] > 'z' {
			return w // the rules are those of English
		}
	}
	return english.Stem(w, false)
}

// fillers are words that say nothing about what is looked for.
var fillers = set(`a an and are as at be been but by can could did do does for from had has have how i if in
	into is it its just like may me mine must my need of on onto or our please s should so some than that the
	their them then there these they this those to us use used using via was want we were what when where
	which will with within would you your`)

// verbs are what people and tools do. Each line is one doing by different names,
// and the names overlap in meaning only: a query's word looks for the others at a
// low weight. A doing says less about a tool than the thing it is done to.
var verbs = sync.OnceValue(func() map[string][]string {
	return synonyms(
		"create make new add open start declare raise register",
		"create write",
		"delete remove drop erase destroy clear",
		"update change modify edit set",
		"edit replace",
		"get read show fetch retrieve view",
		"list all show find",
		"find search look query",
		"run execute trigger",
		"send post publish",
		"put upload store save",
		"download fetch get",
		"rename move",
		"start launch begin",
		"stop end halt cancel",
		"append add insert edit",
		"install deploy provision setup",
		"go navigate open visit",
		"choose pick select",
		"query run execute",
	)
})

// things are names of one thing.
var things = sync.OnceValue(func() map[string][]string {
	return synonyms(
		"directory folder dir",
		"repository repo",
		"database db",
		"image picture photo",
		"message msg",
		"kubernetes k8s",
		"environment env",
		"configuration config setting",
		"error failure exception problem issue",
		"bug issue ticket",
		"web internet online",
		"website site",
		"user person people account member",
		"latest last newest recent",
		"vulnerability vulnerable security advisory",
		"dependency dependabot package",
		"schedule cron",
		"vm virtual",
		"vm machine",
		"pr pull",
		"ci workflow actions",
		"plan explain",
	)
})

// phrases are how questions begin, and the words of a tool that answers them.
var phrases = []struct{ asked, means string }{
	{"how many", "count number"},
	{"how large", "size"},
	{"how big", "size"},
	{"how much", "count usage"},
	{"who am i", "me whoami self current authenticated user"},
	{"logged in", "authenticated login user"},
	{"which", "list"},
	{"what are", "list"},
	{"why", "diagnose explain analyze"},
	{"when", "date time info"},
	{"where", "location"},
}

// How much words of the same meaning count beside the word itself.
const (
	verbWeight  = 0.4
	thingWeight = 0.9
	// doingWeight is how much a verb counts beside a noun.
	doingWeight = 0.6
	// hintWeight is what a word counts that a question only hints at.
	hintWeight = 0.6
)

// asked takes the beginnings of questions out of the words and gives what they hint at.
func asked(words []string) (rest, hints []string) {
	text := " " + strings.Join(words, " ") + " "
	for _, p := range phrases {
		if strings.Contains(text, " "+p.asked+" ") {
			text = strings.Replace(text, " "+p.asked+" ", " ", 1)
			hints = append(hints, strings.Fields(p.means)...)
		}
	}
	return strings.Fields(text), hints
}

func synonyms(lines ...string) map[string][]string {
	out := map[string][]string{}
	for _, line := range lines {
		group := strings.Fields(line)
		for i, w := range group {
			for j, other := range group {
				if i != j && stem(w) != stem(other) {
					out[stem(w)] = append(out[stem(w)], stem(other))
				}
			}
		}
	}
	return out
}

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}
