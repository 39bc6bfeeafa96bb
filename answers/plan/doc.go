// Package plan has the words that all plans share: the verdict, the interval in which something happens, and commands
// that a person may paste. The plans themselves are in drain, upgrade, repair and review.
package plan
