package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

const rootHelp = `nodetriage finds out why a Kubernetes node does not work and what to do about
it, from a live cluster, a bundle, kubectl output or pasted text. It only reads;
drain and repair, which show their plan first, and verify --canary alone change
something.

Start with:
  nodetriage diagnose                the cluster of the current context
  nodetriage diagnose NODE           one node of it
  nodetriage diagnose PATH           saved output, logs, a bundle, a folder
  nodetriage diagnose --example      a recorded incident; needs no cluster`

func newRoot() *cobra.Command {
	var asked bool // for --version
	root := &cobra.Command{
		Use:           "nodetriage",
		Short:         "Find out why a Kubernetes node does not work",
		Long:          rootHelp,
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if asked {
				fmt.Fprintln(cmd.OutOrStdout(), "nodetriage "+version)
				return nil
			}
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return cmd.Help()
		},
	}
	// cobra's own flag uses a template, and a program with a template keeps every method of every type.
	root.Flags().BoolVarP(&asked, "version", "v", false, "version for nodetriage")
	root.SetFlagErrorFunc(badFlag)
	root.SetUsageFunc(usage)
	root.SetHelpCommand(newHelp(root))
	root.CompletionOptions.HiddenDefaultCmd = true
	cobra.EnableCommandSorting = false
	for _, g := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Find out why, and what comes", []*cobra.Command{newDiagnose(), newWhy(), newPredict(), newCheck(), newDiff(), newExplain()}},
		{"See what there is, well or not", []*cobra.Command{newNodes(), newPools(), newPods(), newBudgets(), newDaemonSets(), newOperations()}},
		{"Act, with the plan first", []*cobra.Command{newDrain(), newUpgrade(), newRepair(), newVerify()}},
		{"Gather evidence, and the rest", []*cobra.Command{newCollect(), newNodeCheck(), newTest(), newKnowledge(), newVersion()}},
	} {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, c := range g.commands {
			c.GroupID = g.title
			root.AddCommand(c)
		}
	}
	completes(root)
	renamed(root)
	return root
}
