// Package azure emulates Azure Resource Manager for tests. It answers like the API: in pages, with throttling and
// faults on demand, and with asynchronous operations. It records every request.
//
// It speaks plain HTTP on loopback, has no authentication, and is never part of nodetriage.
package azure
