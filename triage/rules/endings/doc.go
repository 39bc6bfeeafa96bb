// Package endings has what shows that the trouble of a message is over, one entry for each way: a later word of the same component,
// a state that cannot be beside the trouble, a report of the node that shows it well. The first entry that ends a message is told, so
// those that say most come first.
package endings
