//go:build tokens

package tests

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"
)

// TestTokens prints how many tokens a model reads of each recorded catalog: what a
// client lists under each exposure, one answer of search_tools, the declarations.
func TestTokens(t *testing.T) {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	count := func(text string) int {
		n, err := codec.Count(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	files, err := filepath.Glob("testdata/catalogs/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no catalogs")
	}
	fmt.Printf("%-20s %6s %9s %7s %7s %7s %7s %9s %6s\n", "catalog", "tools", "full list", "auto", "code", "saved", "search", "sdk.d.ts", "texts")
	row := func(name string, servers upstreams) {
		n, full := tokensOf(t, servers, "tools", count)
		_, auto := tokensOf(t, servers, "auto", count)
		_, code := tokensOf(t, servers, "code", count)
		c := startReplay(t, servers, "code")
		search := count(textOf(t, c.request("tools/call", `{"name":"search_tools","arguments":{"query":"list all items"}}`)))
		sdk := count(contentsOf(t, c.request("resources/read", `{"uri":"codemode://code-mode/sdk.d.ts"}`)))
		texts := count(c.instructions())
		c.close()
		fmt.Printf("%-20s %6d %9d %7d %7d %6.1f%% %7d %9d %6d\n", name, n, full, auto, code, 100-100*float64(code)/float64(full), search, sdk, texts)
		if code >= 1000 {
			t.Errorf("%s: %d tokens under code", name, code)
		}
	}
	all := upstreams{}
	for _, file := range files {
		path, err := filepath.Abs(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		all[name] = "replay=" + path
		row(name, upstreams{name: all[name]})
	}
	row("all", all)
}

// tokensOf counts a client's list as JSON, as it comes over the wire.
func tokensOf(t *testing.T, servers upstreams, expose string, count func(string) int) (tools, tokens int) {
	c := startReplay(t, servers, expose)
	defer c.close()
	for cursor := ""; ; {
		var page struct {
			Tools      []json.RawMessage
			NextCursor string
		}
		if err := json.Unmarshal(c.request("tools/list", `{"cursor":`+quote(cursor)+`}`).Result, &page); err != nil {
			t.Fatal(err)
		}
		tools += len(page.Tools)
		for _, tool := range page.Tools {
			tokens += count(string(tool))
		}
		if cursor = page.NextCursor; cursor == "" {
			return tools, tokens
		}
	}
}
