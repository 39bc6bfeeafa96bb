package collect

import (
	"io"
	"strings"
	"testing"
)

// Journals with one field per line give the same lines as the default format, and all lines keep their numbers.
func TestWithoutFields(t *testing.T) {
	for name, tc := range map[string]struct{ in, want string }{
		"verbose": {
			"$ journalctl -u kubelet -o verbose\n" +
				"Fri 2024-03-01 10:01:30.104231 UTC [s=6f1c;i=2a41;b=9d2f;m=41;t=5c1;x=77]\n    PRIORITY=6\n    MESSAGE=one\n    _HOSTNAME=node-1\n    SYSLOG_IDENTIFIER=kubelet\n    _PID=1187\n" +
				"Fri 2024-03-01 10:01:31.000000 CET [s=6f1c;i=2a42;b=9d2f;m=41;t=5c1;x=77]\n    _HOSTNAME=node-1\n    MESSAGE=two\n            and its rest\n    SYSLOG_IDENTIFIER=kubelet\n",
			"$ journalctl -u kubelet -o verbose\n" +
				"\n\n2024-03-01T10:01:30.104231+0000 node-1 kubelet[1187]: one\n\n\n\n" +
				"\n\n2024-03-01T10:01:31.000000+0000 node-1 kubelet: two\n            and its rest\n\n",
		},
		"export": {
			"__CURSOR=s=6f1c;i=1\n__REALTIME_TIMESTAMP=1709287290104231\n_HOSTNAME=node-1\nSYSLOG_IDENTIFIER=containerd\nMESSAGE=one\n\n__CURSOR=s=6f1c;i=2\n__REALTIME_TIMESTAMP=1709287290104232\nMESSAGE=two",
			"\n\n\n\n2024-03-01T10:01:30.104231+0000 node-1 containerd: one\n\n\n\n2024-03-01T10:01:30.104232+0000 two",
		},
		"json": {
			`{"__REALTIME_TIMESTAMP":"1709287290104231","_HOSTNAME":"n","SYSLOG_IDENTIFIER":"kubelet","_PID":"1","MESSAGE":"said \"so\""}` + "\n" + `{"__CURSOR":"x","MESSAGE":[1,2]}` + "\r\n",
			`2024-03-01T10:01:30.104231+0000 n kubelet[1]: said "so"` + "\n" + `{"__CURSOR":"x","MESSAGE":[1,2]}` + "\r\n",
		},
		"something else below a head": {
			"Fri 2024-03-01 10:01:30.104231 UTC [s=6f1c;i=2a41;b=9d2f;m=41;t=5c1;x=77]\nplain words\nmore\n",
			"Fri 2024-03-01 10:01:30.104231 UTC [s=6f1c;i=2a41;b=9d2f;m=41;t=5c1;x=77]\nplain words\nmore\n",
		},
		"no journal": {"MESSAGE=x\nlevel=error\n", "MESSAGE=x\nlevel=error\n"},
	} {
		got, err := io.ReadAll(withoutFields(strings.NewReader(tc.in)))
		if err != nil || string(got) != tc.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, got, tc.want)
		}
	}
}

// FuzzWithoutFields checks that the number of lines does not change.
func FuzzWithoutFields(f *testing.F) {
	f.Add("Fri 2024-03-01 10:01:30 UTC [s=6f1c;\n MESSAGE=a\nb\n\n")
	f.Add("__CURSOR=s=6f1c;\nMESSAGE=\n")
	f.Add(`{"MESSAGE":"a\nb"}`)
	f.Fuzz(func(t *testing.T, text string) {
		got, err := io.ReadAll(withoutFields(strings.NewReader(text)))
		if err != nil || strings.Count(string(got), "\n") != strings.Count(text, "\n") {
			t.Errorf("%q became %q (%v)", text, got, err)
		}
	})
}
