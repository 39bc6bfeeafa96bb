// Package report writes results: for a terminal, as JSON, YAML, Markdown, JUnit, SARIF and HTML, and lists in the formats of
// kubectl too.
//
// The answer comes first and fits one screen: the root cause with its evidence, the remedy and its verification. The text that
// a signature matched is never cut in the first three findings. If no cause is likely, the most significant lines come first.
// Resolved problems never come first. Every form shows what JSON contains, at most shortened, and marks what is shortened.
// Colour marks severity and never carries meaning alone. External text is data: control characters are neutralised before it is
// written (see Clean).
package report
