// Package plan contains types that all plans share: the verdict, intervals, and commands that a person may paste. The plans are
// in drain, upgrade, repair and review.
package plan
