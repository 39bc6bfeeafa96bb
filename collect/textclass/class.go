package textclass

// Class is what may be concluded from a text.
type Class string

// The classes of text that signatures must not read.
const (
	Unknown       Class = ""              // not identified as one of the others: it may report state
	Configuration Class = "configuration" // what is set: facts for parsers that know the format
	Reference     Class = "reference"     // help, advice, source code, lists, rules: nothing follows from it
	Typed         Class = "typed"         // what a person asked for, and what a tool says about the question itself
	Prose         Class = "prose"         // the words of a person
	Field         Class = "field"         // a field of an object that holds a wish, not a state
)

// Kind is one row's identification of a text. The zero Kind is text that may report state.
type Kind struct {
	Class Class
	Name  string // for people: "package list"
}

// Matched reports whether signatures may read a text of that kind.
func (k Kind) Matched() bool { return k.Class == Unknown }

// Rules are rules of monitoring: they state what would be reported.
var Rules = Kind{Reference, "alert or recording rules"}

// The kinds that several tables name.
var (
	packageList = Kind{Reference, "package list"}
	help        = Kind{Reference, "help text"}
	manual      = Kind{Reference, "manual page"}
	advice      = Kind{Reference, "general advice"}
	versions    = Kind{Reference, "version output"}
	symbols     = Kind{Reference, "kernel symbols or messages"}
	source      = Kind{Reference, "source code"}
	tests       = Kind{Reference, "test results"}
	alertRules  = Rules
	schema      = Kind{Reference, "schema"}
	hardware    = Kind{Reference, "hardware or module description"}
	settings    = Kind{Configuration, "settings"}
	fileList    = Kind{Reference, "list of files"}
	comment     = Kind{Reference, "comment"}
	typed       = Kind{Typed, "typed command"}
	unanswered  = Kind{Typed, "answer that no such object exists"}
	wish        = Kind{Field, "field of a specification"}
	process     = Kind{Field, "fields of a process"}
	words       = Kind{Prose, "a person's words"}
)
