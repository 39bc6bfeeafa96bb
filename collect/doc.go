// Package collect turns files and texts into evidence: bundles, folders, archives, kubectl output, dumps of other tools, logs,
// and what people copy out of terminals. What a file is, its content tells. It is read in bounded memory, and never judged.
//
// Builder is the one place where evidence comes together, also for collect/survey, which reads live clusters: every text
// passes Builder.ScanText or the pages of collect/paste, every object Builder.Edit. Whatever it is given, reading ends, in at
// most 1.5 GiB of memory (bounds in limits.go); what is beyond a bound is left out and becomes a gap.
//
// Reading order: builder.go, stream.go, container.go, ahead.go (small documents, read at the same time), then one file per
// form; for bundles bundle_read.go, and package collect/bundle, which writes them.
package collect
