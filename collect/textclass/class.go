package textclass

// Class is what a text can prove.
type Class string

// Classes of text that signatures must not match.
const (
	Unknown       Class = ""              // none of the others: it may report state
	Configuration Class = "configuration" // settings: facts for parsers of the format
	Reference     Class = "reference"     // help, advice, source code, lists, rules: proves nothing
	Typed         Class = "typed"         // a command, and what a tool reports about the command itself
	Prose         Class = "prose"         // text of a person
	Field         Class = "field"         // a field of an object with a desired state, not an actual one
)

// Kind is the classification of a text by one row. The zero Kind is text that may report state.
type Kind struct {
	Class Class
	Name  string // for people: "package list"
}

// MayReportState reports whether a text of that kind may report state, so that signatures may match it.
func (k Kind) MayReportState() bool { return k.Class == Unknown }

// Rules are monitoring rules: they define what would be reported.
var Rules = Kind{Reference, "alert or recording rules"}

// Kinds that several tables use.
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
	checked     = Kind{Reference, "check that passed"}
	passed      = Kind{Reference, "step of a unit that succeeded"}
	fileList    = Kind{Reference, "list of files"}
	comment     = Kind{Reference, "comment"}
	typed       = Kind{Typed, "typed command"}
	unanswered  = Kind{Typed, "answer that no such object exists"}
	wish        = Kind{Field, "field of a specification"}
	process     = Kind{Field, "fields of a process"}
	words       = Kind{Prose, "a person's words"}
	instruction = Kind{Reference, "instruction"}
)
