// Package wording formats numbers, names, durations and instants the same way in every output.
package wording
