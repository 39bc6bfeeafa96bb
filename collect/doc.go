// Package collect gathers evidence from every source into one Snapshot: a live cluster, a bundle, a folder,
// kubectl output, pasted text. It only reads. What cannot be read becomes a gap, never the end of the run.
//
// Whatever it is given, reading ends, and needs at most 1.5 GiB of memory: the objects of files may take
// 384 MiB, which is room for about 300,000 pods, one object 32 MiB, one piece of YAML 8 MiB; texts, lists and
// archives are read as streams, of any size. What is beyond a bound is left out and becomes a gap.
//
// The reading order of the files: builder.go; for a live cluster cluster.go, node.go and survey.go; for files
// stream.go, container.go, then one file per form; for bundles manifest.go, bundle_write.go, bundle_read.go.
package collect
