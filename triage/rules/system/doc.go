// Package system has the rules on what nodes depend on: the control plane, webhooks, certificates, network agents, and the
// pods of the cluster itself.
package system
