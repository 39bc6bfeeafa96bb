// Package accuracy measures how often the program is right on evidence that was not used to develop it. It transforms every
// recorded case into others with a known answer, and runs them like "diagnose -f". It also judges unrelated texts, in which no
// node is broken, and incidents that were not used to tune the program. A transformation uses the case's evidence and its
// confirmed cause, and never the program's answer. The program does not import this package.
package accuracy
