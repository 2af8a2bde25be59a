package tests

import (
	"strings"
	"testing"

	forms "codemode-mcp/internal/script"
)

// Each row of the table of forms runs through the built program, with the
// envelope that the row says.
func TestForms(t *testing.T) {
	c := startClient(t, nil, "serve", "--workspace", t.TempDir(), "--log-level", "error")
	for _, form := range forms.Forms {
		t.Run(form.Habit, func(t *testing.T) {
			env := c.run(form.Source)
			switch {
			case form.Refused != "":
				if env.Kind != "syntax_error" || !strings.Contains(env.Message, form.Refused) || !strings.Contains(env.Hint, form.Hint) {
					t.Errorf("%q: %s %q, hint %q", form.Source, env.Kind, env.Message, env.Hint)
				}
			case env.Error != "" || unescape.Replace(string(env.Result)) != form.Result:
				t.Errorf("%q: %s %s %s", form.Source, env.Kind, env.Message, env.Result)
			case form.Note == "" && len(env.Warnings) > 0, form.Note != "" && !strings.Contains(strings.Join(env.Warnings, " "), form.Note):
				t.Errorf("%q: warnings %q", form.Source, env.Warnings)
			}
		})
	}
}
