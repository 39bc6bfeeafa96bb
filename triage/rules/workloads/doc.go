// Package workloads has the rules on pods, their volumes, and drains.
package workloads
