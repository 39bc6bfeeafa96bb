// Package layouts describes the paths at which tools save data of a cluster or a machine: lists, logs and nodes. Each tool has one
// file, based on its source. A path shared by two tools is in the layout of the first one.
package layouts
