// Package system has the rules on what nodes depend on: the control plane, webhooks, certificates, network agents, and system pods.
package system
