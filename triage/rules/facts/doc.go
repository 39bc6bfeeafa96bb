// Package facts has what several rules need from the evidence: whether a node reports, what a message means and what resolved it,
// what a pod waits for, what the cloud did. It makes no claims.
package facts
