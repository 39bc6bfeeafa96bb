package main

import (
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/wording"
)

// outputFlags select the format of a result.
type outputFlags struct {
	format  string
	allowed []string
	color   string // when: auto, always, never
	noPager bool
	after   int      // rows that follow the answer on the same screen: a question, or why nothing was done
	paths   []string // the files that are read instead of a cluster
}

func (o *outputFlags) register(set *pflag.FlagSet, allowed ...string) {
	o.allowed = allowed
	set.StringVarP(&o.format, "output", "o", "", "`FORMAT` Output format: "+strings.Join(allowed, ", ")+". Default: text.")
	words := make([]string, len(allowed))
	for i, name := range allowed {
		words[i] = before(name)
	}
	_ = set.SetAnnotation("output", formsAnnotation, words) // the flag was registered above
	if !slices.Contains(allowed, "wide") {
		return // not a result
	}
	set.StringVar(&o.color, "color", "auto", "`WHEN` Color the output: auto (on a terminal), always or never.")
	set.BoolVar(&o.noPager, "no-pager", false, "Do not use a pager ($NODETRIAGE_PAGER, $PAGER, or the less command) for long output.")
}

func (o *outputFlags) check() error {
	if o.color != "" && !slices.Contains(colorWords, o.color) {
		return hintf(wording.OneOf(o.color, colorWords), "invalid value %q for --color", o.color)
	}
	for form, check := range map[string]func(string) error{jsonPath: report.CheckJSONPath, customColumns: report.CheckColumns} {
		argument, ok := strings.CutPrefix(o.format, before(form))
		if !ok || !slices.Contains(o.allowed, form) || o.format == form {
			continue
		}
		if err := check(argument); err != nil {
			return usagef("invalid value %q for --output: %w", o.format, err)
		}
		return nil
	}
	if o.format == "" || before(o.format) == o.format && slices.Contains(o.allowed, o.format) {
		return nil
	}
	return hintf(wording.OneOf(o.format, o.allowed), "invalid value %q for --output", o.format)
}

// colorWords are the values of --color.
var colorWords = []string{"auto", "always", "never"}

// formsAnnotation stores the completions of the flag.
const formsAnnotation = "forms"

// The formats that take an argument, as lists of formats show them.
const (
	jsonPath      = "jsonpath=EXPRESSION"
	customColumns = "custom-columns=SPEC"
)

// before returns a format without its argument: jsonpath=.
func before(form string) string {
	if name, _, ok := strings.Cut(form, "="); ok {
		return name + "="
	}
	return form
}

// withoutPath returns the formats of a command whose JSON is not a single value, or differs from that of its text.
func withoutPath(names []string) []string {
	return slices.DeleteFunc(names, func(name string) bool { return name == jsonPath })
}

// style fits the terminal format to its output. Color is for terminals, or with CLICOLOR_FORCE for logs that show it. NO_COLOR
// turns it off. --color overrides both.
func (o *outputFlags) style(w io.Writer) report.Style {
	s := report.Style{Wide: o.format == "wide", Color: o.colored(w), Evidence: o.evidence()}
	if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil {
		s.Width = columns
	}
	f := terminalOf(w)
	if f == nil {
		return s
	}
	if columns, _, err := term.GetSize(int(f.Fd())); err == nil && s.Width == 0 {
		s.Width = columns
	}
	return s.Leaving(o.after)
}

// evidence returns the flags that read the files of this command again. Standard input cannot be read again.
func (o *outputFlags) evidence() string {
	var flags []string
	for _, path := range o.paths {
		word, ok := shell.Word(path)
		if !ok || path == "-" {
			return ""
		}
		flags = append(flags, "-f "+string(word))
	}
	return strings.Join(flags, " ")
}

func (o *outputFlags) colored(w io.Writer) bool {
	switch forced := !slices.Contains([]string{"", "0"}, os.Getenv("CLICOLOR_FORCE")); {
	case o.color == "always":
		return true
	case o.color == "never", os.Getenv("NO_COLOR") != "":
		return false
	case forced:
		return true
	}
	return terminalOf(w) != nil && os.Getenv("TERM") != "dumb"
}
