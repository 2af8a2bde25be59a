package tests

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// A result that was cut is readable in pages, and only as what it is.
func TestKeptResults(t *testing.T) {
	c := startClient(t, []string{"CODE_MODE_MAX_RESULT_CHARS=1000"}, "serve", "--log-level", "error")
	env := c.run(`return Array.from({length: 300}, (_, i) => "zeile ü " + i)`)
	if !env.Truncated || !strings.HasPrefix(env.ResultURI, "codemode://results/") {
		t.Fatalf("truncated %v, at %q", env.Truncated, env.ResultURI)
	}
	whole, next := "", env.ResultURI
	for pages := 0; next != ""; pages++ {
		if pages > 20 {
			t.Fatal("the pages do not end")
		}
		m := c.request("resources/read", fmt.Sprintf(`{"uri":%q}`, next))
		var res struct {
			Contents []struct {
				Text string `json:"text"`
				Meta struct {
					Next string `json:"next"`
				} `json:"_meta"`
			} `json:"contents"`
		}
		if m.Error != nil || json.Unmarshal(m.Result, &res) != nil || len(res.Contents) != 1 {
			t.Fatalf("read %s: %+v %s", next, m.Error, m.Result)
		}
		whole += res.Contents[0].Text
		next = res.Contents[0].Meta.Next
	}
	var rows []string
	if err := json.Unmarshal([]byte(whole), &rows); err != nil || len(rows) != 300 || rows[299] != "zeile ü 299" {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	for _, uri := range []string{"codemode://results/none", env.ResultURI + "?offset=-1", env.ResultURI + "?limit=x", env.ResultURI + "?offset=%zz"} {
		if m := c.request("resources/read", fmt.Sprintf(`{"uri":%q}`, uri)); m.Error == nil || m.Error.Code != -32602 && m.Error.Code != -32002 {
			t.Errorf("%s can be read, or fails otherwise: %s %+v", uri, m.Result, m.Error)
		}
	}
}
