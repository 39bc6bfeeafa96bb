package main

import (
	"os"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
)

// nodeName returns the name of a node, also of the form node/NAME.
func nodeName(arg string) string {
	kind, name, _ := strings.Cut(arg, "/")
	if name == "" || strings.Contains(name, "/") || evidence.KindNamed(kind) != "Node" {
		return arg
	}
	return name
}

// nodeNames returns the names of nodes in the arguments, which have the forms of kubectl: NAME..., node/NAME... or node NAME...
func nodeNames(args []string) []string {
	if len(args) > 1 && evidence.KindNamed(args[0]) == "Node" {
		args = args[1:]
	}
	names := make([]string, 0, len(args))
	for _, a := range args {
		names = append(names, nodeName(a))
	}
	return names
}

// split separates files from names of nodes. A path exists or contains a separator. A file takes precedence over a form of
// kubectl.
func split(args []string) (nodes, paths []string) {
	if len(args) > 1 && evidence.KindNamed(args[0]) == "Node" && !exists(args[0]) {
		args = args[1:]
	}
	for _, a := range args {
		switch name := nodeName(a); {
		case a == "-" || exists(a):
			paths = append(paths, a)
		case name == a && strings.ContainsRune(a, os.PathSeparator):
			paths = append(paths, a)
		default:
			nodes = append(nodes, name)
		}
	}
	return nodes, paths
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
