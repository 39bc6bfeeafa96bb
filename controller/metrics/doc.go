// Package metrics exports judgements for Prometheus: how many nodes are unhealthy, by which causes, and whether the judgement is up to date.
package metrics
