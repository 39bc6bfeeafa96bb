package paste

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// Termination tracks the message of a terminated container in a pod description. kubectl prints the message with all its lines.
// The fields of the state and of the container follow in a fixed order (kubectl pkg/describe/describe.go v1.36.3, describeStatus).
// A line out of this order shows that the message only imitated its end.
type Termination struct {
	at   int // indentation of the state
	next step
}

// step is what is expected after the last line.
type step int

const (
	noState step = iota
	reason
	exitCode // the message is open
	started
	finished
	ready
	restarts
	nextKey
)

var (
	endedState = lazyregexp.New(`^\s*(?:Last )?State:\s+Terminated$`)
	exitOfRun  = lazyregexp.New(`^\s*Exit Code:\s+-?\d{1,10}$`)
)

// ended is the suffix of each line that a message can follow.
const ended = "Terminated"

// Open reports whether the next line may belong to a message.
func (t *Termination) Open() bool { return t.next != noState }

// Take reads the next line, and reports whether the container wrote it.
func (t *Termination) Take(line string) bool {
	if !t.Open() && !strings.HasSuffix(line, ended) {
		return false
	}
	if endedState.MatchString(line) && t.next != exitCode {
		t.at, t.next = indent(line), reason
		return false
	}
	if _, other := blockHead(line); other { // a line in the format of a command cannot be distinguished from one
		t.next = noState
	}
	if !t.Open() {
		return false
	}
	text := strings.TrimSpace(line)
	key, _, _ := splitKey(text)
	own := t.step(key, line, text)
	if own {
		t.next = exitCode
	}
	return own
}

// Masked takes the next line, and returns what parsers of fields and tables may see of it. Of a message, they see only the first
// line, as the value of its field.
func (t *Termination) Masked(line string) string {
	if before := t.next; t.Take(line) && before != reason {
		return dots
	}
	return line
}

// dots represents omitted lines.
const dots = "..."

// step advances by one line. A line that does not fit there belongs to the message.
func (t *Termination) step(key, line, text string) bool {
	if t.next >= ready && t.ends(key, line) {
		return false
	}
	switch t.next {
	case reason:
		return t.head(key)
	case exitCode:
		if exitOfRun.MatchString(line) && indent(line) >= t.at {
			t.next = started
			return false
		}
		return true
	case started:
		return !t.expect(key, "Signal", started) && !t.expect(key, "Started", finished)
	case finished:
		return !t.expect(key, "Finished", ready)
	case ready:
		return !t.expect(key, "Ready", restarts)
	case restarts:
		return !t.expect(key, "Restart Count", nextKey)
	default: // other container fields are indented
		return text != "" && indent(line) == 0
	}
}

// head reads the fields before the message.
func (t *Termination) head(key string) bool {
	if key == "Message" {
		return true
	}
	if key != "Reason" {
		t.next = noState // a state without a message
	}
	return false
}

func (t *Termination) expect(key, want string, then step) bool {
	if key == want {
		t.next = then
	}
	return key == want
}

// ends reports whether the container fields are over: a key of the pod follows, or their end is unknown because the indentation is
// missing.
func (t *Termination) ends(key, line string) bool {
	_, ofPod := topKeys[key]
	if indent(line) == 0 && ofPod || t.at == 0 && t.next == nextKey {
		t.next = noState
	}
	return !t.Open()
}
