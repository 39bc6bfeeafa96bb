// Package reports has the rules on node reports, from node-check and from agents.
package reports
