package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/answers/drain"
	"github.com/nodetriage/nodetriage/answers/predict"
	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/kube"
	"github.com/nodetriage/nodetriage/triage"
)

// Rules of completion: the shell blocks while completion runs. No completion takes longer than completionTime; a cluster that
// does not answer in time gives no names. Errors are not printed, because the user is typing. Tests use a longer time.
var completionTime = 250 * time.Millisecond

// words returns the possible words at a position, given what the user has typed.
type words func(cmd *cobra.Command, typed string) []string

// completes registers the completion of arguments and flags for every command.
func completes(root *cobra.Command) {
	flags := map[string]words{
		"accept": fixed(drain.Consents), "azure-cloud": fixed([]string{"public", "china", "government"}), "cause": causeIDs,
		"certainty": certainties, "color": fixed(colorWords), "dry-run": fixed(dryRunWords), "event": fixed(predict.Events),
		"example": examplesOf, "like": poolsOf, "namespace": namespacesOf, "node": nodesOf, "output": formsOf, "pool": poolsOf,
		"severity": severities, "trace": causeIDs,
	}
	arguments := map[string]words{
		"diagnose": nodesOf, "predict": nodesOf, "nodes": nodesOf, "drain": nodesOf, "verify": nodesOf, "collect": nodesOf,
		"upgrade": poolsOf, "why": podsOf, "explain": pagesOf,
	}
	for _, cmd := range below(root) {
		for name, from := range flags {
			if cmd.Flags().Lookup(name) != nil && !(name == "accept" && cmd.Name() == "repair") {
				_ = cmd.RegisterFlagCompletionFunc(name, from.complete) // fails if the flag has a completion already
			}
		}
		if from := arguments[cmd.Name()]; from != nil && cmd.Parent() == root {
			cmd.ValidArgsFunction = from.complete
		}
		if cmd.Name() == "repair" {
			cmd.ValidArgsFunction = completeRepair
		}
	}
	root.ValidArgsFunction = completeAlias
}

// completeAlias completes the aliases of commands. cobra completes their names, and an alias is offered only if no name matches.
func completeAlias(root *cobra.Command, _ []string, typed string) (out []string, _ cobra.ShellCompDirective) {
	for _, cmd := range root.Commands() {
		if strings.HasPrefix(cmd.Name(), typed) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		for _, alias := range cmd.Aliases {
			if strings.HasPrefix(alias, typed) {
				out = append(out, alias)
			}
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// complete is a cobra completion function. If nothing matches, the shell offers files.
func (w words) complete(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	var out []string
	for _, word := range w(cmd, typed) {
		if strings.HasPrefix(word, typed) && !slices.Contains(args, word) {
			out = append(out, word)
		}
	}
	slices.Sort(out)
	if len(out) == 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return slices.Compact(out), cobra.ShellCompDirectiveNoFileComp
}

// completeRepair completes the action, and then the kind of target that it has.
func completeRepair(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return fixed(ask.RepairActions()).complete(cmd, args, typed)
	}
	if of := (&ask.RepairOptions{Action: cloud.Verb(args[0])}).Subject(); of.Kind == "Node" {
		return words(nodesOf).complete(cmd, args, typed)
	}
	targets := words(func(cmd *cobra.Command, typed string) []string { return append(poolsOf(cmd, typed), "cluster") })
	return targets.complete(cmd, args, typed)
}

func fixed[S ~string](all []S) words {
	return func(*cobra.Command, string) []string {
		out := make([]string, len(all))
		for i, s := range all {
			out[i] = string(s)
		}
		return out
	}
}

func examplesOf(*cobra.Command, string) []string { return exampleNames() }

func commandNames(cmd *cobra.Command, _ string) (out []string) {
	for _, c := range cmd.Root().Commands() {
		if c.IsAvailableCommand() {
			out = append(out, c.Name())
		}
	}
	return out
}

// formsOf returns the values of the command's -o flag.
func formsOf(cmd *cobra.Command, _ string) []string {
	return cmd.Flags().Lookup("output").Annotations[formsAnnotation]
}

// catalogInUse returns the catalog for causeIDs and pagesOf, without signatures.
func catalogInUse() (*catalog.Catalog, error) {
	c, err := catalog.Builtin()
	if err != nil {
		return nil, err
	}
	used, err := inUse()
	if err != nil || len(used) == 0 {
		return c, err
	}
	return c.Extend(used[0].Files)
}

func causeIDs(*cobra.Command, string) (out []string) {
	c, err := catalogInUse()
	if err != nil {
		return nil
	}
	for _, cause := range c.Causes() {
		out = append(out, cause.ID)
	}
	return out
}

func pagesOf(cmd *cobra.Command, typed string) []string {
	out := causeIDs(cmd, typed)
	if c, err := catalogInUse(); err == nil {
		for _, s := range c.Symptoms() {
			out = append(out, s.ID)
		}
		for _, q := range c.Questions() {
			out = append(out, q.ID)
		}
	}
	return out
}

func nodesOf(cmd *cobra.Command, typed string) (out []string) {
	prefix := ""
	if kind, _, found := strings.Cut(typed, "/"); found && evidence.KindNamed(kind) == "Node" {
		prefix = kind + "/"
	}
	for _, n := range asked(cmd, kube.NodeNames) {
		out = append(out, prefix+n.Name)
	}
	return out
}

func poolsOf(cmd *cobra.Command, _ string) (out []string) {
	for _, n := range asked(cmd, kube.NodeNames) {
		node := evidence.Node{Node: &corev1.Node{ObjectMeta: n.ObjectMeta}}
		if _, pool := node.PoolLabel(); pool != "" {
			out = append(out, pool)
		}
	}
	return out
}

func podsOf(cmd *cobra.Command, typed string) (out []string) {
	prefix := ""
	if kind, _, found := strings.Cut(typed, "/"); found && evidence.KindNamed(kind) == "Pod" {
		prefix = kind + "/"
	}
	for _, p := range asked(cmd, kube.PodNames) {
		out = append(out, prefix+p.Name)
	}
	return out
}

func namespacesOf(cmd *cobra.Command, _ string) (out []string) {
	for _, n := range asked(cmd, kube.NamespaceNames) {
		out = append(out, n.Name)
	}
	return out
}

// asked returns objects of the selected cluster; nil if it does not answer in time. Saved evidence is not read.
func asked(cmd *cobra.Command, res kube.Resource[kube.Named]) []kube.Named {
	if f := cmd.Flags().Lookup("filename"); f != nil && f.Changed {
		return nil
	}
	src := newSourceFlags()
	mine := pflag.NewFlagSet("", pflag.ContinueOnError)
	src.cluster.AddFlags(mine)
	mine.VisitAll(func(f *pflag.Flag) {
		if given := cmd.Flags().Lookup(f.Name); given != nil && given.Changed {
			_ = mine.Set(f.Name, given.Value.String()) // the value was parsed before
		}
	})
	answer := make(chan []kube.Named, 1)
	ctx, cancel := context.WithTimeout(cmd.Context(), completionTime)
	defer cancel()
	go func() { answer <- src.names(ctx, res) }() // credential plugins ignore the timeout
	select {
	case list := <-answer:
		return list
	case <-ctx.Done():
		return nil
	}
}

func (f *sourceFlags) names(ctx context.Context, res kube.Resource[kube.Named]) []kube.Named {
	config, err := f.config()
	if err != nil {
		return nil
	}
	reader, err := kube.NewReader(config, kube.Options{Timeout: completionTime})
	if err != nil {
		return nil
	}
	namespace := ""
	if res.Namespaced {
		if namespace, _, err = f.cluster.ToRawKubeConfigLoader().Namespace(); err != nil {
			return nil
		}
	}
	list, err := kube.Names(ctx, reader, res, namespace)
	if err != nil {
		return nil
	}
	return list
}

var (
	severities  = fixed([]catalog.Severity{catalog.Critical, catalog.Error, catalog.Warning, catalog.Info})
	certainties = fixed([]triage.Certainty{triage.Certain, triage.Likely, triage.Possible})
)
