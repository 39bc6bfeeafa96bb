package main

import (
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/nodetriage/nodetriage/report"
)

// outputFlags select the format of a result.
type outputFlags struct {
	format  string
	allowed []string
}

func (o *outputFlags) register(set *pflag.FlagSet, allowed ...string) {
	o.allowed = allowed
	set.StringVarP(&o.format, "output", "o", "", "write the result in this `FORMAT` instead of text: "+strings.Join(allowed, ", "))
	words := make([]string, len(allowed))
	for i, name := range allowed {
		words[i] = before(name)
	}
	_ = set.SetAnnotation("output", formsAnnotation, words) // the flag was registered above
}

func (o *outputFlags) check() error {
	for form, check := range map[string]func(string) error{jsonPath: report.CheckJSONPath, customColumns: report.CheckColumns} {
		argument, ok := strings.CutPrefix(o.format, before(form))
		if !ok || !slices.Contains(o.allowed, form) || o.format == form {
			continue
		}
		if err := check(argument); err != nil {
			return usagef("output %q: %w", o.format, err)
		}
		return nil
	}
	if o.format == "" || before(o.format) == o.format && slices.Contains(o.allowed, o.format) {
		return nil
	}
	return usagef("output %q: use one of %s", o.format, strings.Join(o.allowed, ", "))
}

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

// style fits the terminal format to its output. Color is for terminals, or with CLICOLOR_FORCE for logs that show it; NO_COLOR
// turns it off.
func (o *outputFlags) style(w io.Writer) report.Style {
	s := report.Style{Wide: o.format == "wide"}
	if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil {
		s.Width = columns
	}
	s.Color = os.Getenv("NO_COLOR") == "" && !slices.Contains([]string{"", "0"}, os.Getenv("CLICOLOR_FORCE"))
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return s
	}
	s.Color = s.Color || os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	if columns, _, err := term.GetSize(int(f.Fd())); err == nil && s.Width == 0 {
		s.Width = columns
	}
	return s
}
