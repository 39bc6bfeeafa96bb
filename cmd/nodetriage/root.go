package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

const rootHelp = `nodetriage finds out why a Kubernetes node is broken. It shows the evidence, how
to fix the node, and which checks were not possible. It reads a live cluster,
saved evidence (a bundle), kubectl output or pasted text.

nodetriage only reads. The exceptions are drain, repair --apply and verify
--canary: they change the cluster. drain and repair show a plan first.

Start with:
  nodetriage diagnose                the cluster of the current context
  nodetriage diagnose NODE           one node
  nodetriage diagnose PATH           saved output, logs, a bundle or a folder
  nodetriage diagnose --example      a recorded incident; needs no cluster`

func newRoot() *cobra.Command {
	var asked bool // for --version
	root := &cobra.Command{
		Use:           "nodetriage",
		Short:         "Find out why a Kubernetes node is broken",
		Long:          rootHelp,
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			return checkDurations(cmd.Flags())
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if asked {
				fmt.Fprintln(cmd.OutOrStdout(), "nodetriage "+version)
				return nil
			}
			if len(args) > 0 {
				return unknownCommand(cmd, args)
			}
			return cmd.Help()
		},
	}
	// cobra's own flag uses a template, and a program with a template keeps every method of every type.
	root.Flags().BoolVarP(&asked, "version", "v", false, "Print the version.")
	root.SetFlagErrorFunc(badFlag)
	root.SetUsageFunc(usage)
	root.SetHelpCommand(newHelp(root))
	root.CompletionOptions.HiddenDefaultCmd = true
	cobra.EnableCommandSorting = false
	for _, g := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Diagnose and forecast", []*cobra.Command{newDiagnose(), newWhy(), newPredict(), newCheck(), newDiff(), newExplain()}},
		{"List resources", []*cobra.Command{newNodes(), newPools(), newPods(), newBudgets(), newDaemonSets(), newOperations()}},
		{"Plan and make changes", []*cobra.Command{newDrain(), newUpgrade(), newRepair(), newVerify()}},
		{"Collect evidence", []*cobra.Command{newCollect(), newNodeCheck()}},
		{"Other commands", []*cobra.Command{newMCP(), newKnowledge(), newTest(), newVersion()}},
	} {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, c := range g.commands {
			c.GroupID = g.title
			root.AddCommand(c)
		}
	}
	root.InitDefaultHelpCmd() // before nameValues, so that the flags of cobra's commands have the same texts
	root.InitDefaultCompletionCmd()
	nameValues(root)
	completes(root)
	renamed(root)
	return root
}
