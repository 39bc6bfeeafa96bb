// Package nodes has the rules on nodes in the API, alone and compared with similar nodes.
package nodes
