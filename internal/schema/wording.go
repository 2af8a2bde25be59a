package schema

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// wording says what a value must be, for the kinds of violations that need no look
// at the schema. It is empty for every other kind.
func wording(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Minimum:
		return fmt.Sprintf("must be at least %s, got %s", number(k.Want), number(k.Got))
	case *kind.Maximum:
		return fmt.Sprintf("must be at most %s, got %s", number(k.Want), number(k.Got))
	case *kind.ExclusiveMinimum:
		return fmt.Sprintf("must be more than %s, got %s", number(k.Want), number(k.Got))
	case *kind.ExclusiveMaximum:
		return fmt.Sprintf("must be less than %s, got %s", number(k.Want), number(k.Got))
	case *kind.MultipleOf:
		return fmt.Sprintf("must be a multiple of %s, got %s", number(k.Want), number(k.Got))
	case *kind.MinLength:
		return fmt.Sprintf("must have at least %s, has %d", count(k.Want, "character"), k.Got)
	case *kind.MaxLength:
		return fmt.Sprintf("must have at most %s, has %d", count(k.Want, "character"), k.Got)
	case *kind.MinItems:
		return fmt.Sprintf("must have at least %s, has %d", count(k.Want, "item"), k.Got)
	case *kind.MaxItems:
		return fmt.Sprintf("must have at most %s, has %d", count(k.Want, "item"), k.Got)
	case *kind.MinProperties:
		return fmt.Sprintf("must have at least %s, has %d", count(k.Want, "name"), k.Got)
	case *kind.MaxProperties:
		return fmt.Sprintf("must have at most %s, has %d", count(k.Want, "name"), k.Got)
	case *kind.UniqueItems:
		return fmt.Sprintf("must not hold a value twice: [%d] and [%d] are equal", k.Duplicates[0], k.Duplicates[1])
	case *kind.Const:
		return fmt.Sprintf("must be %s, got %s", show(k.Want), show(k.Got))
	case *kind.Pattern:
		return fmt.Sprintf("must match the pattern %s, got %s", cut(k.Want), show(k.Got))
	case *kind.Format:
		return fmt.Sprintf("must have the format %s, got %s", cut(k.Want), show(k.Got))
	case *kind.Dependency:
		return fmt.Sprintf("has %q and so needs %s", cut(k.Prop), quoted(k.Missing))
	case *kind.DependentRequired:
		return fmt.Sprintf("has %q and so needs %s", cut(k.Prop), quoted(k.Missing))
	case *kind.FalseSchema:
		return "is not allowed here"
	case *kind.Not:
		return "is what the schema excludes"
	}
	return ""
}

// number shows a bound as a person writes it: 5000, 0.5.
func number(r *big.Rat) string {
	if r.IsInt() && r.Num().BitLen() < 80 {
		return r.Num().String()
	}
	f, _ := r.Float64()
	return strconv.FormatFloat(f, 'g', -1, 64)
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

func quoted(names []string) string {
	var out []string
	for _, n := range names[:min(len(names), maxViolations)] {
		out = append(out, strconv.Quote(cut(n)))
	}
	return strings.Join(out, ", ")
}
