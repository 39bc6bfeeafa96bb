package main

import "time"

// ofToday is one of so many parts of a list, each day another: all of it takes minutes.
func ofToday[T any](list []T, parts int) []T {
	var out []T
	for i, x := range list {
		if i%parts == time.Now().YearDay()%parts {
			out = append(out, x)
		}
	}
	return out
}
