package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/nodetriage/nodetriage/report"
)

// linked is set by the Makefile.
var linked string

// version returns the linked version. A binary of go install has its module's version.
var version = func() string {
	if linked != "" {
		return linked
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}()

func newVersion() *cobra.Command {
	var out outputFlags
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  between(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := out.check(); err != nil {
				return err
			}
			b := build{Version: version, GoVersion: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
			return versionForms.write(cmd.OutOrStdout(), &out, b)
		},
	}
	out.register(cmd.Flags(), "json", "yaml")
	return cmd
}

var versionForms = forms[build]{text: func(w io.Writer, b build, _ report.Style) error {
	_, err := fmt.Fprintf(w, "nodetriage %s %s %s\n", b.Version, b.GoVersion, b.Platform)
	return err
}}

// build describes the build of the program, with the field names of kubectl.
type build struct {
	Version   string `json:"gitVersion"`
	GoVersion string `json:"goVersion"`
	Platform  string `json:"platform"` // operating system and architecture: linux/amd64
}
