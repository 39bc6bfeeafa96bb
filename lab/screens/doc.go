// Package screens compares what a user sees on a terminal of 80 columns and 24 rows with recorded screens, for real states of
// clusters. See testdata.
package screens
