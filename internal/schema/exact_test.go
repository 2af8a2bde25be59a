package schema

import "testing"

func TestExactIntegers(t *testing.T) {
	const schema = `{"type":"object","properties":{"id":{"type":"integer"},"name":{"type":"string"},"n":{"type":["number","null"]},
		"both":{"type":["integer","string"]},"list":{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"}}}}}}`
	for args, want := range map[string]string{
		`{"id":"9007199254740993","name":"9007199254740993"}`: `{"id":9007199254740993,"name":"9007199254740993"}`,
		`{"n":"-12345678901234567890"}`:                       `{"n":-12345678901234567890}`,
		`{"list":[{"id":"9007199254740993"},{"id":1}]}`:       `{"list":[{"id":9007199254740993},{"id":1}]}`,
		`{"id":"12"}`: `{"id":"12"}`,
		`{"both":"9007199254740993","id":"0009007199254740993"}`: `{"both":"9007199254740993","id":"0009007199254740993"}`,
		`{"id":"9007199254740993x","other":"9007199254740993"}`:  `{"id":"9007199254740993x","other":"9007199254740993"}`,
		`[`: `[`,
	} {
		if got, _ := ExactIntegers([]byte(schema), []byte(args)); string(got) != want {
			t.Errorf("%s: got %s, want %s", args, got, want)
		}
	}
}
