// Package nodes has the rules on nodes as the API shows them, alone and among their like.
package nodes
