package catalog

import (
	"context"
	"encoding/json"
)

// Question is what a tool's server asks of the human, or of the model, behind the
// caller, while it works on a call.
type Question struct {
	// Server is who asks.
	Server string
	// Kind is QuestionForm, QuestionURL or QuestionModel.
	Kind string
	// Params are those of the MCP request, bounded and checked.
	Params json.RawMessage
}

// The kinds of questions.
const (
	// QuestionForm asks for values (elicitation).
	QuestionForm = "form"
	// QuestionURL asks to open an address (elicitation).
	QuestionURL = "url"
	// QuestionModel asks the client's model (sampling).
	QuestionModel = "model"
)

// Asker is who can answer for the caller of a call.
type Asker struct {
	// Principal is whose call it is.
	Principal string
	// Ask gives the result of the MCP request. An error means that there is no
	// answer: the caller can't be asked such a thing.
	Ask func(context.Context, Question) (json.RawMessage, error)
}

type askerKey struct{}

// WithAsker gives a call somebody to ask.
func WithAsker(ctx context.Context, a Asker) context.Context {
	return context.WithValue(ctx, askerKey{}, a)
}

// AskerOf is whom a call can ask. Without one, Ask is nil.
func AskerOf(ctx context.Context) Asker {
	a, _ := ctx.Value(askerKey{}).(Asker)
	return a
}
