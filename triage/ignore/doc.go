// Package ignore reads what a team wants to hear nothing of for a while: causes on subjects, each with its last day and
// the reason, from a file or from annotations of the objects. It is pure.
package ignore
