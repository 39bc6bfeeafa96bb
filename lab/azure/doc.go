// Package azure is an emulator of Azure Resource Manager for tests: a state of resources that answers like the API, in
// pages, with throttling and faults on demand, that changes by operations which take their time, and that remembers
// every request.
//
// It speaks plain HTTP on loopback, knows no identities, and is never part of nodetriage.
package azure
