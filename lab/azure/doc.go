// Package azure emulates Azure Resource Manager for tests. Its state of resources answers like the API: in pages, with
// throttling and faults on demand, with asynchronous operations, and with a record of every request.
//
// It speaks plain HTTP on loopback, has no authentication, and is never part of nodetriage.
package azure
