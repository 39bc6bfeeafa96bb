package casetest

import (
	"encoding/base64"
	"net/url"
	"strconv"
	"strings"
)

// Position is a place in a text.
type Position struct {
	Name string
	Put  func(text string) string
}

// Positions are the places of secrets in evidence.
var Positions = []Position{
	{"start of a line", func(s string) string { return s }},
	{"klog", func(s string) string { return "I0602 00:30:01.123456    1234 server.go:466] " + s }},
	{"klog, quoted", func(s string) string {
		return `E0602 00:30:01.123456    1234 pod_workers.go:1301] "Error syncing pod, skipping" err=` + strconv.Quote("failed with "+s) + ` pod="default/web-0"`
	}},
	{"journald", func(s string) string { return eachLine(s, "Jun 02 00:30:01 worker-1 app[1234]: ") }},
	{"CRI", func(s string) string { return eachLine(s, "2026-06-02T00:30:01.123456789Z stderr F ") }},
	{"JSON of a container", func(s string) string { return quoted(map[string]string{"log": s + "\n", "stream": "stderr"}) }},
	{"JSON in JSON", func(s string) string {
		return quoted(map[string]string{"level": "info", "msg": "got " + quoted(map[string]string{"body": s})})
	}},
	{"YAML", func(s string) string {
		if strings.Contains(s, "\n") {
			return "    message: |\n" + eachLine(s, "      ")
		}
		return "    message: " + s
	}},
	{"YAML list", func(s string) string { return "  - " + strings.ReplaceAll(s, "\n", "\n    ") }},
	{"URL", func(s string) string {
		return "GET https://10.0.0.1:8443/hook?verbose=true&note=" + url.QueryEscape(s) + "&x=1 HTTP/1.1"
	}},
	{"percent-encoded", func(s string) string { return "body: note=" + url.PathEscape(s) }},
	{"base64", func(s string) string { return "  payload: " + base64.StdEncoding.EncodeToString([]byte(s)) }},
	{"base64, wrapped", func(s string) string {
		return "begin\n" + wrapped(base64.StdEncoding.EncodeToString([]byte("#!/bin/sh\n# a script that is long enough to be wrapped by base64\n"+s+"\nexit 0\n")), 76)
	}},
	{"command line", func(s string) string { return "root  1234  0.0  /bin/sh -c " + s }},
	{"arguments of a container", func(s string) string {
		return quoted(map[string]any{"kind": "Pod", "spec": map[string]any{"containers": []any{map[string]any{"name": "c", "args": []string{"-c", s}}}}})
	}},
	{"environment of a container", func(s string) string {
		return quoted(map[string]any{"kind": "Pod", "spec": map[string]any{"containers": []any{map[string]any{"name": "c", "env": []any{map[string]string{"name": "NOTE", "value": s}}}}}})
	}},
	{"annotation", func(s string) string {
		return quoted(map[string]any{"kind": "Node", "metadata": map[string]any{"annotations": map[string]string{"example.com/note": s}}})
	}},
	{"describe", func(s string) string { return "      Message:      " + s }},
	{"events", func(s string) string { return "5m12s   Warning   Failed   pod/web-0   Error: " + s }},
}

func eachLine(s, head string) string { return head + strings.ReplaceAll(s, "\n", "\n"+head) }

func wrapped(s string, columns int) string {
	var out strings.Builder
	for len(s) > columns {
		out.WriteString(s[:columns] + "\n")
		s = s[columns:]
	}
	return out.String() + s
}
