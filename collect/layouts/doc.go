// Package layouts knows how tools arrange what they collect of a cluster or a machine: at which path which list, log or node stands.
// One file for each tool, from its source; a path of two tools stands where it was written first.
package layouts
