// Package paste reads what people copy out of a terminal: tables and descriptions of kubectl and the output
// of tools that ran on a node, several in one text, with prompts, code fences and indentation around them.
//
// A text is read once, as a stream. Lines that cannot start anything known are dismissed by a look at their
// first bytes, so that a log costs next to nothing. What is recognised becomes evidence that is marked
// partial and points at its line; what is not recognised is left alone, and no value is guessed.
//
// The reading order of the files: text.go (the result), page.go (the loop), prompt.go and command.go (where
// in the text we are), table.go and describe.go (the two layouts of kubectl), then one file per output.
package paste
