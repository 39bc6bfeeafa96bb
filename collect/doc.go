// Package collect turns files and texts into evidence: bundles, folders, archives, kubectl output, dumps of other tools, logs, and
// pasted terminal output. It detects the format of a file by its content. It bounds memory, and never judges the evidence.
//
// Builder is the only entry for evidence, also for collect/survey, which reads live clusters. Every text passes Builder.ScanText
// or the pages of collect/paste, every object Builder.Edit. Reading always ends, in at most 1.5 GiB of memory (bounds in
// limits.go). What exceeds a bound is left out and becomes a gap.
//
// Reading order: builder.go, snapshot.go, stream.go, container.go, ahead.go (concurrent reading of small documents), then one file per form.
// For bundles: bundle_read.go, and package collect/bundle, which writes them.
package collect
