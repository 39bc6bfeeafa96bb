package main

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"golang.org/x/tools/txtar"

	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/cases"
	"github.com/nodetriage/nodetriage/wording"
)

// Recorded incidents that ship in the binary, as cases. make generate packs the folder examples.
//
//go:embed examples.zip
var packedExamples []byte

// examples returns the recorded incidents.
var examples = sync.OnceValues(func() (*zip.Reader, error) {
	return zip.NewReader(bytes.NewReader(packedExamples), int64(len(packedExamples)))
})

// listExamples is the value of --example without a name: list the examples and diagnose the default one.
const (
	listExamples   = "?"
	defaultExample = "runtime-hang"
)

func exampleNames() []string {
	files, err := examples()
	if err != nil {
		return nil
	}
	var names []string
	for _, f := range files.File {
		names = append(names, strings.TrimSuffix(f.Name, path.Ext(f.Name)))
	}
	return names
}

// recorded returns the recorded incident of that name.
func recorded(cmd *cobra.Command, name string, args []string) (ask.Source, error) {
	names := exampleNames()
	if name == listExamples && len(args) == 1 {
		name = args[0] // "--example NAME" reaches cobra as a flag without a value and an argument
	} else if len(args) > 0 {
		return nil, hintf("leave it out", "--example cannot be combined with %s", strings.Join(args, " "))
	}
	if name == listExamples {
		name = defaultExample
		fmt.Fprintf(cmd.ErrOrStderr(), "recorded incidents: %s\nthis is %s\n\n", strings.Join(names, ", "), name)
	}
	archive, err := examples()
	if err != nil {
		return nil, err
	}
	data, err := fs.ReadFile(archive, name+".txtar")
	if err != nil {
		return nil, hintf(wording.OneOf(name, names), "unknown example %q", name)
	}
	files, err := txtar.FS(txtar.Parse(data))
	if err != nil {
		return nil, err
	}
	c, err := cases.New(name, files)
	if err != nil {
		return nil, err
	}
	return ask.Recording{Name: name, Evidence: c.Evidence}, nil
}
