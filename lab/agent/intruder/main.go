//go:build linux

// Command intruder stands for somebody who took the agent over: run in a pod with the agent's rights, it tries what could
// harm the node, harmlessly, and prints a line for each attempt. SECURITY.md has the same table, and a test compares them.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Where the pod sees the root of the node, and the folder of reports.
const (
	host    = "/host"
	reports = "/var/log/nodetriage"
)

// attempt is one thing that is tried. It worked if there is no error.
type attempt struct {
	id string
	do func() error
}

// Answer is what came of an attempt; the test reads it.
type Answer struct {
	ID     string
	Worked bool
	Absent bool   // what it went for is not there
	Why    string `json:",omitempty"`
}

func main() {
	if len(os.Args) > 1 {
		return // what userNamespace starts
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
