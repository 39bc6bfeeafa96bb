// Package doubts has the reasons not to take a message for more than it may be worth, one entry for each: whether it still holds, or
// ever did, the evidence does not tell.
package doubts
