//go:build linux

package main

import (
	"fmt"
	"strings"
)

// head is the introduction of the page.
const head = `# Changes on nodes, found by comparison

Each row is a change on one of three real nodes with systemd: a file was edited, a command was run, or the kubelet or the runtime was
restarted. A pod was started there, unless its network plugin would undo the change. When the node was not Ready, or after a minute,
nodetriage diagnosed a bundle of the cluster and the reports of all three nodes
(` + "`nodetriage diagnose NODE -f BUNDLE -f REPORTS`" + `). **Place** is the position of the change among the differences between the node and its
healthy peers. The screen shows the first three. Then the change is undone, and the next one is made on the next node. ` + "`make peers`" + ` runs
all changes and writes this page.

`

// onScreen is the number of differences on the screen.
const onScreen = 3

// page returns the text of the page.
func page(results []result) string {
	var out strings.Builder
	out.WriteString(head)
	changes, first, three, failed := 0, 0, 0, 0
	for _, r := range results {
		switch {
		case r.change.found == nil:
			fmt.Fprintf(&out, "Without a change the nodes differ in %d things.\n\n", r.all)
			continue
		case r.place == 1:
			first++
			fallthrough
		case r.place > 0 && r.place <= onScreen:
			three++
		}
		changes++
		if r.err != nil {
			failed++
		}
	}
	fmt.Fprintf(&out, "Of %d changes %d are among the first three differences, %d are the first; %d could not be played to the end.\n\n",
		changes, three, first, failed)
	out.WriteString("| change | what was changed | not Ready | first finding | place | of | what is said of it, or first |\n" +
		"| --- | --- | --- | --- | --- | --- | --- |\n")
	for _, r := range results {
		if r.change.found != nil {
			out.WriteString(row(r))
		}
	}
	return out.String()
}

// row returns the row of a change.
func row(r result) string {
	place, ready := "-", "no"
	if r.place > 0 {
		place = fmt.Sprint(r.place)
	}
	if r.notReady {
		ready = "yes"
	}
	said := r.said
	if r.err != nil {
		said = strings.TrimSpace(said + " (" + strings.Join(strings.Fields(r.err.Error()), " ") + ")")
	}
	cell := strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;")
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %d | %s |\n", r.change.name, cell.Replace(r.change.what), ready, r.cause, place, r.all, cell.Replace(said))
}
