package paste

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/wording"
)

var (
	// crictlFatal matches errors of crictl, on a terminal and in a log.
	crictlFatal = lazyregexp.New(`^(?:FATA\[\d+\] |time="[^"]*" level=fatal msg=)(.*)$`)
	// aboutCRI distinguishes errors of crictl from those of other programs with the same log format.
	aboutCRI     = lazyregexp.New(`(?i)runtime (?:api|service|client)|validate service connection|connect endpoint|getting status of runtime|(?:listing|list) (?:containers|pod sandboxes)|unable to determine (?:runtime|image) API`)
	criEndpoint  = lazyregexp.New(`unix://[^\s'"\\,]+|\bdial unix ([^\s:'"]+)`)
	dockerDown   = lazyregexp.New(`^(?:error during connect: .*|Cannot connect to the Docker daemon at (\S+?)\. Is the docker daemon running\?)`)
	notReachable = lazyregexp.New(`(?i)no such file or directory|connection refused|connect endpoint|failed to connect|error while dialing`)
)

// startRuntimeError reads errors of crictl and docker about a runtime that does not respond.
func startRuntimeError(p *page, l line) reader {
	text := strings.TrimSpace(l.text)
	message, name, endpoint := "", "", ""
	if m := crictlFatal.FindStringSubmatch(text); m != nil && (p.command().tool() == "crictl" || aboutCRI.MatchString(m[1])) {
		message = strings.Trim(m[1], `"`)
		if e := criEndpoint.FindStringSubmatch(message); e != nil {
			endpoint = strings.TrimPrefix(e[0], "dial unix ")
		}
	} else if m := dockerDown.FindStringSubmatch(text); m != nil {
		message, name, endpoint = text, "docker", m[1]
	} else {
		return nil
	}
	if strings.Contains(message, "permission denied") { // the user is not root
		return done
	}
	if !p.text.room("runtime answers", l) {
		return done
	}
	r := p.runtime()
	if r.Answer = "refused"; name == "" {
		r.Answer = criAnswer(message)
	}
	r.Message, r.Ref = wording.Cut(message, maxQuote), quote(l)
	setIf(&r.Name, name)
	setIf(&r.Endpoint, endpoint)
	return done
}

// criAnswer classifies a failure. crictl also reaches its deadline if the socket does not exist. So a deadline while connecting
// does not prove that the runtime hangs.
func criAnswer(message string) string {
	switch {
	case notReachable.MatchString(message):
		return "refused"
	case strings.Contains(message, "DeadlineExceeded"), strings.Contains(message, "deadline exceeded"):
		return "hung"
	}
	return "error"
}
