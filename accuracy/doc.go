// Package accuracy measures how often the program is right on evidence that it was not made with. It turns every
// recorded case into others whose answer is known without reading it, and plays them through the same door as
// "diagnose -f"; it judges foreign texts, in which no node is broken, and incidents that nobody tuned the program with.
// A transformation knows the case's evidence and its confirmed cause, and never what the program answers. Nothing of the
// program imports this package.
package accuracy
