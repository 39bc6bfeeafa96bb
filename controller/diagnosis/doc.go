// Package diagnosis converts a report about one node to the status of its NodeDiagnosis, and decides how a published status changes.
// It is pure: the time is an argument.
package diagnosis
