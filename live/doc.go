// Package live stores the evidence of a watched cluster, object by object. When an object changes, only the nodes that
// it belongs to are judged again.
package live
