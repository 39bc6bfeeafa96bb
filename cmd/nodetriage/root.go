package main

import (
	"github.com/spf13/cobra"
)

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "nodetriage",
		Short: "Tell why a Kubernetes node does not work",
		Long: `nodetriage tells why a Kubernetes node does not work, what happens to its pods and what to do about
it: from a live cluster, a bundle, kubectl output or pasted text. It reads only, unless asked.`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &usageError{err} })
	root.Version = version
	root.SetVersionTemplate("nodetriage {{.Version}}\n")
	root.AddCommand(newDiagnose(), newNodes(), newTest(), newExplain(), newVersion())
	return root
}
