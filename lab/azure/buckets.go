package azure

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// bucket is one rate limit: its size, and the tokens that it gains per second.
type bucket struct {
	name         string
	size, refill float64
	code         string // of the refusal
}

// The limits of Azure Resource Manager, of AKS and of Compute, from their documentation.
var (
	armReads    = bucket{"resource-manager reads", 250, 25, "SubscriptionRequestsThrottled"}
	armWrites   = bucket{"resource-manager writes", 200, 10, "SubscriptionRequestsThrottled"}
	aksCluster  = bucket{"aks cluster reads", 60, 1, "Throttled"}
	aksWrites   = bucket{"aks writes", 20, 1. / 60, "Throttled"}
	aksOther    = bucket{"aks reads", 60, 1, "Throttled"}
	setReads    = bucket{"compute scale set reads", 36, 12. / 60, "TooManyRequests"}
	setViews    = bucket{"compute scale set views", 30, 10. / 60, "TooManyRequests"}
	setLists    = bucket{"compute scale set lists", 1080, 360. / 60, "TooManyRequests"}
	setMachines = bucket{"compute instance reads", 36, 12. / 60, "TooManyRequests"}
	machineRead = bucket{"compute machine lists", 900, 300. / 60, "TooManyRequests"}
	setUpdates  = bucket{"compute instance updates", 12, 4. / 60, "TooManyRequests"}
)

// bucketsOf returns the limits that apply to a request, each with its key.
func bucketsOf(r *http.Request) map[bucket]string {
	path := key(r.URL.Path)
	read := r.Method == http.MethodGet || strings.HasSuffix(path, "/queryresults")
	out := map[bucket]string{}
	if read {
		out[armReads] = ""
	} else {
		out[armWrites] = ""
	}
	parts := strings.Split(path, "/")
	below := func(word string) int { // number of path parts that follow
		for i, p := range parts {
			if p == word {
				return len(parts) - i - 1
			}
		}
		return -1
	}
	switch {
	case strings.Contains(path, "/microsoft.containerservice/"):
		switch {
		case !read:
			out[aksWrites] = path
		case below("managedclusters") == 1:
			out[aksCluster] = path
		default:
			out[aksOther] = ""
		}
	case strings.Contains(path, "/microsoft.compute/virtualmachinescalesets"):
		instance := below("virtualmachines")
		switch {
		case !read:
			out[setUpdates] = path
		case instance == 0, below("virtualmachinescalesets") == 0:
			out[setLists] = ""
		case instance > 0:
			out[setMachines] = path
		case strings.HasSuffix(path, "/instanceview"):
			out[setViews] = path
		default:
			out[setReads] = path
		}
	case strings.Contains(path, "/microsoft.compute/virtualmachines"):
		out[machineRead] = ""
	}
	return out
}

// level is the number of tokens in a bucket.
type level struct {
	left float64
	at   time.Time
	used int
}

// throttle takes a token from each bucket, and rejects the request if one bucket is empty.
func (e *Emulator) throttle(w http.ResponseWriter, r *http.Request, now time.Time) (refused bool) {
	for b, of := range bucketsOf(r) {
		name := b.name + " " + of
		l := e.levels[name]
		if l == nil {
			l = &level{left: b.size, at: now}
			e.levels[name] = l
		}
		l.left = min(b.size, l.left+b.refill*now.Sub(l.at).Seconds())
		l.at = now
		l.used++
		if l.left < 1 {
			if !refused {
				w.Header().Set("Retry-After", fmt.Sprint(int((1-l.left)/b.refill)+1))
				refuse(w, http.StatusTooManyRequests, b.code, "The request is being throttled as the limit of "+b.name+" has been reached.")
			}
			refused = true
			continue
		}
		l.left--
	}
	return refused
}

// Spent counts the requests so far for each limit; for limits per resource, the highest count.
func (e *Emulator) Spent() map[string]int {
	e.mu.Lock()
	defer e.mu.Unlock()
	out := map[string]int{}
	for name, l := range e.levels {
		kind, _, _ := strings.Cut(name, " /")
		kind = strings.TrimSpace(kind)
		out[kind] = max(out[kind], l.used)
	}
	return out
}
