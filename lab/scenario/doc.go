// Package scenario breaks nodes for real, tells what was broken, and records what could be seen of it.
package scenario
