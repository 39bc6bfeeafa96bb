package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/nodetriage/nodetriage/report"
)

// outputFlags choose the form of a result.
type outputFlags struct {
	format  string
	allowed []string
}

func (o *outputFlags) register(set *pflag.FlagSet, allowed ...string) {
	o.allowed = allowed
	set.StringVarP(&o.format, "output", "o", "", "write the result in this `FORMAT` instead of text: "+strings.Join(allowed, ", "))
}

func (o *outputFlags) check() error {
	if o.format == "" || slices.Contains(o.allowed, o.format) {
		return nil
	}
	return usagef("output %q: use one of %s", o.format, strings.Join(o.allowed, ", "))
}

// style fits the terminal form to where it goes: colour only on a terminal, and not with NO_COLOR.
func (o *outputFlags) style(w io.Writer) report.Style {
	s := report.Style{Wide: o.format == "wide"}
	if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil {
		s.Width = columns
	}
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return s
	}
	s.Color = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	if columns, _, err := term.GetSize(int(f.Fd())); err == nil && s.Width == 0 {
		s.Width = columns
	}
	return s
}

// form is one more way to write a result, beside those that every result has.
type form struct {
	name  string
	write func(io.Writer) error
}

// write writes a result in the form that was asked for: text is the one for people.
func write[T any](w io.Writer, out *outputFlags, result T, text func(io.Writer, T, report.Style) error, more ...form) error {
	switch out.format {
	case "json":
		return report.JSON(w, result)
	case "yaml":
		return report.YAML(w, result)
	case "", "wide":
		return text(w, result, out.style(w))
	}
	for _, f := range more {
		if f.name == out.format {
			return f.write(w)
		}
	}
	return fmt.Errorf("write %s: no such output format", out.format)
}
