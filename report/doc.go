// Package report writes what was found: for a terminal, as JSON, YAML, Markdown, JUnit, SARIF and HTML, and lists in the
// forms of kubectl too.
//
// Rules of the terminal form. The answer comes first and fits one screen: the root cause with its evidence,
// what to do and how to see that it worked; everything else is a few lines each and a hint where to read more.
// What a signature recognised is never cut in the first three findings, and every other has a line of evidence.
// Where no cause is likely, the lines that say most come first. What is over is never first. Nothing is hidden
// that the JSON has, only shortened, and what is shortened says so. Colour marks severity, never carries meaning
// alone, and is used on terminals only. Text that came from a cluster, a log or a file is data: control characters
// are neutralised before they are written (see Clean).
package report
