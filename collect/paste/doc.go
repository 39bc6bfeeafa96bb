// Package paste reads copied terminal output: tables and descriptions of kubectl, and the output of tools on a node. One text may
// contain several, with prompts, code fences and indentation.
//
// A text is read once, as a stream. The first bytes of a line show whether it can start a known output, so that a log costs almost
// nothing. Recognized output becomes partial evidence with its line number. The rest is ignored, and no value is guessed.
//
// Reading order of the files: text.go (the result), page.go (the loop), prompt.go and command.go (the position in the text). Then
// table.go and describe.go (the two layouts of kubectl), then one file per output.
package paste
