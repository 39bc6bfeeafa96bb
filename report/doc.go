// Package report writes what was found: for a terminal, as JSON, YAML, Markdown, JUnit, SARIF and HTML, and lists in the
// forms of kubectl too.
//
// The answer comes first and fits one screen: the root cause with its evidence, what to do, how to see that it worked. What
// a signature recognised is never cut in the first three findings; where no cause is likely, the lines that say most come
// first; what is over is never first. Nothing is hidden that the JSON has, only shortened, and what is shortened says so.
// Colour marks severity and never carries meaning alone. Text from outside is data: control characters are neutralised
// before it is written (see Clean).
package report
