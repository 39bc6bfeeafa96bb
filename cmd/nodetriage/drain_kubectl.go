package main

import (
	"strings"

	"github.com/spf13/pflag"

	"github.com/nodetriage/nodetriage/answers/drain"
)

// kubectlDrainFlags are the flags of kubectl drain (kubectl/pkg/cmd/drain, v0.36.3) that drain does not have otherwise. Each does
// what it does there, or is refused with the reason. None weakens a check without the user's consent.
type kubectlDrainFlags struct {
	ignoreDaemonSets, deleteEmptyDir, force, disableEviction bool
	gracePeriod, skipWait                                    int
	chunkSize                                                int64
	selector, podSelector                                    string
}

func (f *kubectlDrainFlags) register(set *pflag.FlagSet) {
	set.StringVarP(&f.selector, "selector", "l", "", "`LABELS` Drain all nodes with these labels, such as pool=blue,zone!=a, instead of named nodes.")
	set.BoolVar(&f.ignoreDaemonSets, "ignore-daemonsets", true, "Always on: pods of DaemonSets stay on the node and never block the drain.")
	set.BoolVar(&f.deleteEmptyDir, "delete-emptydir-data", false, "Evict pods with emptyDir volumes. The data in these volumes is deleted. Same as --accept local-data.")
	set.BoolVar(&f.force, "force", false, "Evict pods without a controller; they are not recreated. Same as --accept unmanaged.")
	set.IntVar(&f.gracePeriod, "grace-period", -1, "`SECONDS` Only -1 is accepted: each pod gets its own terminationGracePeriodSeconds.")
	set.BoolVar(&f.disableEviction, "disable-eviction", false, "Not supported, because it bypasses PodDisruptionBudgets. Use --suspend-pdb.")
	set.StringVar(&f.podSelector, "pod-selector", "", "`LABELS` Not supported, because other pods would stay on the node.")
	set.IntVar(&f.skipWait, "skip-wait-for-delete-timeout", 0, "`SECONDS` Only 0 is accepted: the drain waits for every pod, up to --timeout.")
	set.Int64Var(&f.chunkSize, "chunk-size", 500, "`N` No effect: lists are always read in chunks.")
	for _, name := range []string{
		"selector", "ignore-daemonsets", "delete-emptydir-data", "force", "grace-period", "disable-eviction", "pod-selector",
		"skip-wait-for-delete-timeout", "chunk-size",
	} {
		_ = set.SetAnnotation(name, groupAnnotation, []string{"Flags of kubectl drain"}) // the flag was registered above
	}
}

// checkNumbers refuses negative numbers, except the -1 that kubectl uses for the grace period of each pod.
func (f *kubectlDrainFlags) checkNumbers() error {
	switch {
	case f.gracePeriod < -1:
		return hintf("only -1 is accepted: each pod gets its own terminationGracePeriodSeconds", "invalid value \"%d\" for --grace-period", f.gracePeriod)
	case f.skipWait < 0:
		return hintf("leave it out", "invalid value \"%d\" for --skip-wait-for-delete-timeout", f.skipWait)
	case f.chunkSize < 0:
		return hintf("leave it out", "invalid value \"%d\" for --chunk-size", f.chunkSize)
	}
	return nil
}

// check refuses what kubectl does at a risk that drain does not take.
func (f *kubectlDrainFlags) check(names []string) error {
	switch {
	case f.selector != "" && strings.TrimSpace(f.selector) == "":
		return hintf("name a label, such as agentpool=np1", "drain: --selector is blank, which would select every node")
	case f.selector != "" && len(names) > 0:
		return hintf("leave one of them out", "drain: --selector cannot be combined with names of nodes")
	case !f.ignoreDaemonSets:
		return hintf("leave out --ignore-daemonsets=false; drain --plan lists these pods",
			"drain: pods of DaemonSets always stay: their controller would recreate them on the cordoned node")
	case f.gracePeriod >= 0:
		return hintf("leave out --grace-period; set terminationGracePeriodSeconds in the workload to change it",
			"drain: --grace-period %d is not supported: each pod gets its own terminationGracePeriodSeconds", f.gracePeriod)
	case f.disableEviction:
		return hintf("name the PodDisruptionBudgets that may be ignored with --suspend-pdb; they are restored after the drain",
			"drain: --disable-eviction is not supported: it bypasses PodDisruptionBudgets")
	}
	if err := f.checkNumbers(); err != nil {
		return err
	}
	return f.checkPods()
}

// checkPods refuses to leave pods on the node.
func (f *kubectlDrainFlags) checkPods() error {
	switch {
	case f.podSelector != "":
		return hintf("leave it out; kubectl drain --pod-selector evicts some of the pods",
			"drain: --pod-selector is not supported: drain evicts every pod of the node, except those of DaemonSets and static pods")
	case f.skipWait > 0:
		return hintf("leave it out; --timeout limits the drain, and the pods that are left are listed",
			"drain: --skip-wait-for-delete-timeout %d is not supported: a pod that is still terminating can still use its volumes", f.skipWait)
	}
	return nil
}

// accept returns the blockers that these flags accept.
func (f *kubectlDrainFlags) accept() (out []drain.Kind) {
	if f.force {
		out = append(out, drain.Unmanaged)
	}
	if f.deleteEmptyDir {
		out = append(out, drain.LocalData)
	}
	return out
}
