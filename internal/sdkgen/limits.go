package sdkgen

// A schema is foreign data. These bounds hold for every tool, so that a hostile
// one costs a bounded amount of time, memory and output.
const (
	// maxSchemaBytes is the largest schema that is read. The largest one seen
	// in a real server has 76 KB.
	maxSchemaBytes = 1 << 20
	// maxParseDepth is how many arrays and objects may lie in one another; what
	// lies deeper is skipped and becomes unknown.
	maxParseDepth = 512
	// maxNodes is how many JSON values of one schema are kept.
	maxNodes = 200_000
	// maxTypes is how many parts of one schema become types.
	maxTypes = 50_000
	// maxTypeDepth is how deep types nest before the rest becomes unknown.
	maxTypeDepth = 40
	// maxDecls is how many named types one schema may need.
	maxDecls = 1_000
	// maxUnion is how many members a union may have; the compiler slows down
	// and then gives up above some tens of thousands.
	maxUnion = 10_000
	// maxBoth is how many parts an intersection may have.
	maxBoth = 200
	// maxChain is how many names may stand for one another in turn; the
	// compiler's stack ends at some hundreds.
	maxChain = 50
	// maxTuple is how many positions a tuple may have.
	maxTuple = 100
	// maxSpread is how many combinations an intersection of unions may expand
	// to; the compiler refuses 100,000 ("too complex to represent").
	maxSpread = 5_000
	// maxNumberChars is the longest number kept as a literal.
	maxNumberChars = 64
	// maxFileBytes is the size of a file above which the remaining tools are
	// declared without their types.
	maxFileBytes = 16 << 20
)

// How much of a schema's prose is kept.
const (
	// maxToolDoc bounds a tool's description, in characters.
	maxToolDoc = 4_000
	// maxPartDoc bounds the description of an argument or a type.
	maxPartDoc = 2_000
	// maxMemberDoc bounds the description of a member of a union or tuple.
	maxMemberDoc = 500
	// maxInlineDoc bounds a title, a reason and an item's description.
	maxInlineDoc = 200
	// maxFact bounds one default, example or pattern.
	maxFact = 120
	// maxExamples is how many examples are shown.
	maxExamples = 3
)

// How a declaration and a signature are laid out.
const (
	// lineWidth is the longest type that stays on one line in a declaration.
	lineWidth = 72
	// signatureEnum is how many members of a union a signature shows.
	signatureEnum = 6
	// signatureDepth is how many objects within one another a signature shows.
	signatureDepth = 2
	// minSignature is the least bound of a signature: room for a name.
	minSignature = 16
)
