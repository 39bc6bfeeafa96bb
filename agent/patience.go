package agent

import "time"

// patience is how long those may take who are asked while one looks at a machine. Tests have their own: on a busy machine all are slow.
type patience struct {
	ask      time.Duration // a server, for one request
	lookup   time.Duration // a resolver, for one name
	way      time.Duration // one way out, from the name to the answer
	step     time.Duration // its connection
	slow     time.Duration // and all steps well: a way that is slow
	greet    time.Duration // a socket of systemd, for a greeting, which needs nothing but a look at it
	endpoint time.Duration // a socket, to accept: the kernel does it at once while there is room in the queue
	statfs   time.Duration // a file system, to tell its size; a local one takes microseconds
}

var usualPatience = patience{
	ask: 3 * time.Second, lookup: 3 * time.Second, way: 6 * time.Second, step: 3 * time.Second, slow: 2 * time.Second,
	greet: 4 * time.Second, endpoint: 2 * time.Second, statfs: 2 * time.Second,
}
