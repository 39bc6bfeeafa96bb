// Package veto marks nodes that fail together, so that tools which scale down and repair leave them alone. It is off by default.
package veto
