// Package reports has the rules on what nodes say of themselves: the reports of node-check and of agents.
package reports
