package agent

import "time"

// timeouts are the timeouts of a snapshot. Tests set longer ones because every answer is slow on a busy machine.
type timeouts struct {
	ask      time.Duration // an HTTP request
	lookup   time.Duration // a DNS answer for one name
	way      time.Duration // one egress path, from DNS to the response
	step     time.Duration // the connection of one egress path
	slow     time.Duration // a success that takes longer is slow
	greet    time.Duration // the first answer on a systemd socket, which needs no work
	endpoint time.Duration // a connection to a socket: the kernel accepts it while the queue has space
	statfs   time.Duration // the size of a file system; a local one takes microseconds
}

var defaultTimeouts = timeouts{
	ask: 3 * time.Second, lookup: 3 * time.Second, way: 6 * time.Second, step: 3 * time.Second, slow: 2 * time.Second,
	greet: 4 * time.Second, endpoint: 2 * time.Second, statfs: 2 * time.Second,
}
