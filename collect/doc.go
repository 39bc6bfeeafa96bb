// Package collect turns files and texts into evidence: bundles, folders, archives, kubectl output, dumps of other tools, logs,
// and what people copy out of terminals. It detects what a file is by its content, reads it in bounded memory, and never judges.
//
// Builder is the one place where evidence comes together, also for collect/survey, which reads live clusters. Everything that
// is read as text passes Builder.ScanText or the pages of collect/paste, every object Builder.Edit.
//
// Whatever it is given, reading ends, and needs at most 1.5 GiB of memory: the objects of files may take
// 128 MiB and a quarter of their size, up to 384 MiB, which is room for about 300,000 pods, one object 32 MiB, one piece of YAML 8 MiB; texts, lists and
// archives are read as streams, of any size. What is beyond a bound is left out and becomes a gap. Small documents of a folder or
// archive are read at the same time (ahead.go), with the answers of reading one after the other.
//
// Reading order: builder.go, stream.go, container.go, ahead.go, then one file per form; for bundles bundle_read.go, and package
// collect/bundle, which writes them.
package collect
