// Package workloads has the rules on what runs on nodes: pods, their volumes, and drains.
package workloads
