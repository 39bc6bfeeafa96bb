package agent

import "time"

// timeouts are how long a look waits for each kind of answer. Tests set their own: on a busy machine every answer is slow.
type timeouts struct {
	ask      time.Duration // an HTTP request
	lookup   time.Duration // a resolver's answer for one name
	way      time.Duration // one way out of the node, from the name to the answer
	step     time.Duration // the connection of one way
	slow     time.Duration // what takes longer and succeeds is called slow
	greet    time.Duration // the first answer on a socket of systemd, for which it need not do any work
	endpoint time.Duration // a connection to a socket: the kernel accepts it at once while there is room in the queue
	statfs   time.Duration // the size of a file system; a local one takes microseconds
}

var defaultTimeouts = timeouts{
	ask: 3 * time.Second, lookup: 3 * time.Second, way: 6 * time.Second, step: 3 * time.Second, slow: 2 * time.Second,
	greet: 4 * time.Second, endpoint: 2 * time.Second, statfs: 2 * time.Second,
}
