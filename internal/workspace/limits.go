package workspace

// The limits of the tools. The ones a caller can ask for stand in the schemas
// too; a test holds the two together.
const (
	maxPathBytes = 4096 // bytes in a path; what Linux takes
	maxLinks     = 40   // symbolic links followed for one path; what Linux follows
	maxDepth     = 200  // folders below each other that a walk enters

	maxFolderEntries = 1 << 20 // names read from one folder before it counts as too large
	maxListEntries   = 1000    // entries list_directory gives at most
	maxSuggestScan   = 4096    // names looked at to suggest one for a missing file
	maxTypos         = 2       // bytes a short name may be off; two letters swapped are two
	maxSuggestions   = 3       // names suggested for a missing file

	maxReadBytes  = 256 << 10 // bytes of content read_file gives at most
	maxWriteBytes = 16 << 20  // bytes write_file and edit_file write at most
	sniffBytes    = 8 << 10   // bytes looked at to call a file binary; as git does
	chunkBytes    = 256 << 10 // bytes of a file held while it is searched; a longer line is searched up to here

	maxPatternBytes  = 1000      // bytes in a glob or grep pattern
	maxAlternatives  = 64        // patterns a glob with {a,b} may stand for
	maxIgnoreBytes   = 256 << 10 // bytes of a .gitignore that are read
	defGlobLimit     = 500       // paths glob gives when not told
	maxGlobLimit     = 5000      // paths glob gives at most
	defGrepLimit     = 100       // matches grep gives when not told
	maxGrepLimit     = 1000      // matches grep gives at most
	maxContextLines  = 20        // lines around a match
	maxLineBytes     = 400       // bytes of one line grep shows
	leadBytes        = 100       // bytes shown before a match in a line that is cut
	maxGrepBytes     = 512 << 10 // bytes of text in one answer of grep
	jobsPerWorker    = 4         // files queued for each search worker
	minTokens        = 2         // searches and walks that may compute at once on a small machine
	maxProgram       = 2000      // instructions of a compiled grep pattern; time per byte grows with them
	maxAtOnceBytes   = 16 << 10  // bytes searched between two looks at whether the caller is still there
	maxLiterals      = 16        // literals a grep pattern is prefiltered by
	maxReportedLines = 20        // line numbers named by edit_file
)
