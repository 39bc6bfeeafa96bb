// Package controller tests nodetriage-controller against real API servers: how fast it publishes, and what it does when its leader, a
// watch, or the API server fails.
package controller
