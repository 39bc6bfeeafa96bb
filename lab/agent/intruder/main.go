//go:build linux

// Command intruder simulates an attacker who controls the agent. It runs in a pod with the rights of the agent, tries
// harmless versions of attacks on the node, and prints a line for each attempt. SECURITY.md has the same table, and a
// test compares them.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// The root of the node and the folder of reports, as the pod sees them.
const (
	host    = "/host"
	reports = "/var/log/nodetriage"
)

// attempt is one attack. It worked if it returns no error.
type attempt struct {
	id string
	do func() error
}

// Answer is the result of an attempt; the test reads it.
type Answer struct {
	ID     string
	Worked bool
	Absent bool   // the target does not exist
	Why    string `json:",omitempty"`
}

func main() {
	if len(os.Args) > 1 {
		return // the program that userNamespace starts
	}
	out := json.NewEncoder(os.Stdout)
	for _, list := range [][]attempt{files(), processes(), kernel(), sockets()} {
		for _, a := range list {
			answer := Answer{ID: a.id, Worked: true}
			if err := a.do(); err != nil {
				answer.Worked, answer.Absent, answer.Why = false, errors.Is(err, fs.ErrNotExist), err.Error()
			}
			if err := out.Encode(answer); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
	}
}
