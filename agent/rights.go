package agent

import (
	"errors"
	"os"
)

// capability is a Linux capability (capabilities(7)).
type capability struct {
	name  string
	bit   int
	value string // chart value that grants it to the agent; empty: the agent has it
}

var (
	readAll   = capability{"DAC_READ_SEARCH", 2, "agent.readAll"}
	netAdmin  = capability{"NET_ADMIN", 12, "agent.netAdmin"}
	traceAll  = capability{"SYS_PTRACE", 19, "agent.ptrace"}
	systemLog = capability{"SYSLOG", 34, ""}
)

// refused is an error that a capability would prevent.
type refused struct {
	err   error
	needs capability
}

func (r *refused) Error() string { return r.err.Error() }
func (r *refused) Unwrap() error { return r.err }

// needed returns the missing permission of a failed call. Root in a container is often denied, and the hint "root"
// would not help.
func needed(err error) string {
	if os.Geteuid() != 0 {
		return "it needs root"
	}
	needs := readAll // files of other users
	var r *refused
	if errors.As(err, &r) {
		needs = r.needs
	}
	if holds(needs) {
		return "a security module or the container's device rules deny it to root with the capability " + needs.name
	}
	text := "it needs the capability " + needs.name + ", which this process does not have"
	if needs.value != "" {
		text += "; set " + needs.value + " of the chart"
	}
	return text
}
