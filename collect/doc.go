// Package collect turns files and texts into evidence: bundles, folders, archives, kubectl output, dumps of other tools, logs, and
// pasted terminal output. It detects the format of a file by its content. It bounds memory, and never judges the evidence.
//
// Builder is the only entry for evidence, also for collect/survey, which reads live clusters. Every text passes Builder.ScanText
// or the pages of collect/paste, every object Builder.Edit. Reading always ends, in at most 1.5 GiB of memory (bounds in
// limits.go). What exceeds a bound is left out and becomes a gap.
//
// What a text is, is decided from the whole to the line. A later decider may only narrow what an earlier one allows:
//
//	question                      decider                   unit            overruled by
//	which format is it?           sniff, kindOf             document        nothing
//	may it report state at all?   textclass.OfDocument      document        a class of a block or line inside it
//	which output is it?           paste.Blocks              block of lines  the next block head
//	may this block report state?  paste.Block.Kind          block           textclass.Lines
//	may this line report state?   textclass.Lines, OfLine   line            nothing
//	who wrote it?                 logline.SpeakerOf         line            what its head names
//	which object is it about?     Builder.Snapshot          match           nothing
//
// The search for messages (lines.go) and the reader of tables (collect/paste) read two copies of a stream at the same time, and so
// each follows the blocks itself: the search knows what class an output has, the tables which columns.
//
// Reading order: builder.go, snapshot.go, stream.go, container.go, ahead.go (concurrent reading of small documents), then one file per form.
// For bundles: bundle_read.go, and package collect/bundle, which writes them.
package collect
