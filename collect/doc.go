// Package collect turns files and texts into evidence: bundles, folders, archives, kubectl output, dumps of other tools, logs,
// and what people copy out of terminals. It detects what a file is by its content, reads it in bounded memory, and never judges.
//
// Builder is the one place where evidence comes together, also for collect/survey, which reads live clusters. Everything that
// is read as text passes Builder.ScanText or the pages of collect/paste, every object Builder.Edit.
//
// Reading order: builder.go, stream.go, container.go, then one file per form; for bundles bundle_read.go, and package
// collect/bundle, which writes them.
package collect
