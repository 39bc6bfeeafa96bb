package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newExplain() *cobra.Command {
	var know knowledgeFlags
	var list bool
	cmd := &cobra.Command{
		Use:   "explain CAUSE",
		Short: "Print the page of a cause",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			k, err := know.load()
			if err != nil {
				return err
			}
			if list || len(args) == 0 {
				for _, c := range k.catalog.Causes() {
					fmt.Fprintf(cmd.OutOrStdout(), "%-34s %s\n", c.ID, c.Title)
				}
				return nil
			}
			c := k.catalog.Cause(args[0])
			if c == nil {
				return usagef("there is no cause %q: nodetriage explain --list shows them", args[0])
			}
			fmt.Fprintln(cmd.OutOrStdout(), c.Meaning)
			return nil
		},
	}
	know.register(cmd.Flags())
	cmd.Flags().BoolVar(&list, "list", false, "list all causes")
	return cmd
}
