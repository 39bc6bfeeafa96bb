// Package chart tests the chart with real Helm and a real API server: every value, the upgrade from the chart of the agent alone, Pod Security,
// and what remains after the removal. The kustomization of deploy installs the same.
package chart
