//go:build bench

package tests

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/discover"
	"codemode-mcp/internal/sdkgen"
)

// TestBenchDiscovery measures what the number of tools costs: declarations of all
// recorded catalogs, and the search over 3,000 tools made of them.
func TestBenchDiscovery(t *testing.T) {
	recorded := recordedCatalog(t).Visible(policyAdmin)
	n := 0
	declarations := measure(10, 0, func() { n = len(sdkgen.Declarations(recorded, nil)) })
	report(fmt.Sprintf("sdkgen: %d tools, %d KB", len(recorded), n>>10), declarations)

	many := func() *catalog.Catalog {
		var tools []catalog.Tool
		for i := 0; len(tools) < 3000; i++ {
			one := *recorded[i%len(recorded)]
			one.Server = fmt.Sprintf("%s%d", one.Server, i/len(recorded))
			tools = append(tools, one)
		}
		c, err := catalog.New(tools)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	var index []time.Duration
	var c *catalog.Catalog
	for range 5 {
		c = many()
		start := time.Now()
		c.Search(policyAdmin, catalog.Query{Text: "anything"})
		index = append(index, time.Since(start))
	}
	report("search: index of 3,000 tools", index)

	text, err := os.ReadFile("testdata/questions/asked.txt")
	if err != nil {
		t.Fatal(err)
	}
	var questions []string
	for line := range strings.Lines(string(text)) {
		if q, _, ok := strings.Cut(line, " => "); ok && line[0] != '#' {
			questions = append(questions, q)
		}
	}
	i := 0
	report("search: 3,000 tools, one question", measure(300, 0, func() {
		c.Search(policyAdmin, catalog.Query{Text: questions[i%len(questions)]})
		i++
	}))
	v := discover.View{Catalog: c, Principal: policyAdmin}
	report("search_tools: the answer as text", measure(100, 0, func() {
		if _, err := v.Search(discover.Ask{Query: questions[i%len(questions)]}); err != nil {
			t.Fatal(err)
		}
		i++
	}))
	report("description of 3,000 tools", measure(5, 0, func() { v.Description(discover.Facts{}) }))
}
