//go:build linux && !race

package main

import (
	"archive/tar"
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/evidence/bounds"
	"github.com/nodetriage/nodetriage/evidence/redact"
)

// limitCase creates an input at a limit, and returns the command that reads it. The command's output, or the returned text,
// must contain what the table says.
type limitCase func(t *testing.T, dir string) (command, out string)

// ofFile is the case of evidence in one file.
func ofFile(name string, data func() []byte) limitCase {
	return func(t *testing.T, dir string) (string, string) {
		return "diagnose -o json " + fileOf(t, dir, name, data()), ""
	}
}

func ofText(name string, parts ...string) limitCase {
	return ofFile(name, func() []byte { return []byte(strings.Join(parts, "")) })
}

func fileOf(t *testing.T, dir, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const (
	podHead  = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"n","annotations":{"a":"`
	fullDisk = "kubelet: no space left on device\n"
)

func repeated(unit string, n int) string { return strings.Repeat(unit, n) }

// limitCases has a case for each row of the table of limits in SECURITY.md, by its first column.
func limitCases() map[string]limitCase {
	kubeconfigWith := func(field, file string) limitCase {
		return func(t *testing.T, dir string) (string, string) {
			text := strings.Replace(twoClusters, field, strconv.Quote(file), 1)
			return "nodes --kubeconfig " + fileOf(t, dir, "config", []byte(text)), ""
		}
	}
	return map[string]limitCase{
		"one JSON object":           ofText("pod.json", podHead, repeated("x", 33<<20), `"}}}`),
		"one YAML document or item": ofText("pod.yaml", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n  annotations:\n", repeated("    a: "+repeated("x", 1000)+"\n", 9000)),
		"YAML with aliases":         ofText("pod.yaml", "apiVersion: v1\nkind: Pod\na: &t "+repeated("x", 500_000)+"\nb: ["+repeated("*t,", 5000)+"]\n"),
		"nesting of JSON":           ofText("pod.json", `{"apiVersion":"v1","kind":"Pod","spec":`+deep("[", "]", 1100)+"}"),
		"all objects of the files": ofFile("pods.json", func() []byte {
			var pods strings.Builder
			for i := range 20_000 { // all different, because equal pods share memory
				fmt.Fprintf(&pods, `{"metadata":{"name":"p%d","namespace":"n"},"spec":{"containers":[{"name":"c%d"}%s]}},`, i, i, repeated(",{}", 50))
			}
			return []byte(listOfPods + pods.String() + "{}]}")
		}),
		"objects of a JSON document": ofText("pods.json", listOfPods, repeated(`{"metadata":{"name":"p"}},`, 300_000), "{}]}"),
		"bytes of each of more than 1000 objects and list elements of one object in a file": ofText("pod.json", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[`, repeated("{},", 1_000), "{}]}}"),
		"objects and list elements of one object in a file":                                 ofText("pod.json", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[`, repeated("{},", 16_000), "{}]}}"),
		"YAML of a document":                  ofText("a.yaml", "apiVersion: v1\nkind: List\nitems:\n", repeated("- kind: Pod\n  spec: {a: [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]}\n", 100_000)),
		"lines of a text":                     ofText("a.txt", fullDisk, repeated("a\n", 10_000_000)),
		"lines that may hold secrets":         ofText("a.txt", fullDisk, repeated("curl -u\n", 600_000)),
		"tables and command output in a text": ofText("a.txt", "NAMESPACE NAME READY STATUS RESTARTS AGE\n", repeated("default   p    1/1   Running 0      1d\n", 210_000)),
		"documents of a cloud":                ofText("az.json", "[", repeated(`{"eventTimestamp":"2026-06-02T00:31:44Z","operationName":{"value":"x"},"resourceId":"/subscriptions/1/resourceGroups/g","status":{"value":"Failed"}},`, 4_100), "{}]"),
		"messages of one kind about pods that were not read": ofFile("events.json", func() []byte {
			var events strings.Builder
			for i := range 1_500 {
				fmt.Fprintf(&events, `{"metadata":{"name":"e%d"},"involvedObject":{"kind":"Pod","name":"p%d"},"reason":"Failed","message":"x509: certificate has expired %d"},`, i, i, i)
			}
			return []byte(listOfEvents + events.String() + "{}]}")
		}),
		"objects of a document read without fields that do not fit": ofText("pods.json", listOfPods, repeated(`{"metadata":{"name":"p"},"spec":{"containers":[{"name":1}]}},`, 20_000), "{}]}"),
		"files of a folder or archive": func(t *testing.T, dir string) (string, string) {
			many := make([]tar.Header, 20_001)
			for i := range many {
				many[i].Name = fmt.Sprintf("d%d/a.log", i)
			}
			return "diagnose -o json " + fileOf(t, dir, "many.tar.gz", gzipped(tarOf(t, "all is well\n", many...))), ""
		},
		"path in an archive": func(t *testing.T, dir string) (string, string) {
			return "diagnose -o json " + fileOf(t, dir, "long.tar", tarred(t, tar.Header{Name: repeated("a/", 2500) + "a.log"}, tar.Header{Name: "a.log"})), ""
		},
		"archives in archives": ofFile("a.gz", func() []byte { return gzipped(gzipped(gzipped(gzipped(gzipped([]byte(fullDisk)))))) }),
		"zip archive in another archive": ofFile("a.gz", func() []byte {
			return gzipped(append([]byte("PK\x03\x04"), make([]byte, 65<<20)...))
		}),
		"directory of a zip archive":           ofFile("a.zip", func() []byte { return zipOf("a.log", nil, 400_000, nil) }),
		"zip archive with overlapping entries": ofFile("a.zip", func() []byte { return zipOf("a.log", []byte(repeated(fullDisk, 100)), 1000, nil) }),
		"unpacked size of xz":                  ofFile("a.log.xz", func() []byte { return bytes.Repeat(xzOf(longLines(8<<20)), 50) }), // streams one behind another
		"unpacked size":                        ofFile("a.log.gz", func() []byte { return gzipped([]byte(repeated(repeated("x", 1000)+"\n", 200_000))) }),
		"quantity": func(*testing.T, string) (string, string) {
			nearest := map[string]string{"1e2147483647": "9e18", "1e-2147483648": "1n", repeated("9", 65): "9e18"}
			for text, want := range nearest {
				if got := bounds.Quantity(text); got != want {
					return "", fmt.Sprintf("%s becomes %s", text, got)
				}
			}
			return "", "the nearest value that Kubernetes documents"
		},
		"marks of secrets in a line": func(*testing.T, string) (string, string) {
			rest := redact.New(false).Text("kubelet: no space left on device " + repeated("curl -u ", 1100))
			return "", "the rest of the line is " + rest[strings.LastIndex(rest, " ")+1:]
		},
		"file of --before": func(t *testing.T, dir string) (string, string) {
			evidence := fileOf(t, dir, "a.log", []byte(fullDisk))
			return "verify n1 -f " + evidence + " --before " + fileOf(t, dir, "before.json", make([]byte, maxReport+1)), ""
		},
		"file of --exceptions": func(t *testing.T, dir string) (string, string) {
			return "diagnose --exceptions " + fileOf(t, dir, "e.yaml", make([]byte, maxExceptions+1)) + " -f " + fileOf(t, dir, "a.log", []byte(fullDisk)), ""
		},
		"archive of knowledge": func(t *testing.T, dir string) (string, string) {
			return "diagnose --catalog-key none --catalog " + fileOf(t, dir, "k.zip", make([]byte, 16<<20+1)) + " -f " + fileOf(t, dir, "a.log", []byte(fullDisk)), ""
		},
		"kubeconfig": func(t *testing.T, dir string) (string, string) {
			return "nodes --kubeconfig " + fileOf(t, dir, "config", make([]byte, maxKubeconfig+1)), ""
		},
		"certificate, key or token file of a kubeconfig": func(t *testing.T, dir string) (string, string) {
			return kubeconfigWith("ca.crt", fileOf(t, dir, "large", make([]byte, maxKey+1)))(t, dir)
		},
		"pipe, device or socket for such a file": kubeconfigWith("ca.crt", "/dev/zero"),
		"named pipe for a file of a flag": func(t *testing.T, dir string) (string, string) {
			if err := syscall.Mkfifo(dir+"/pipe", 0o600); err != nil {
				t.Fatal(err)
			}
			return "nodes --kubeconfig " + dir + "/pipe", ""
		},
		"device or socket for a file of a flag": func(*testing.T, string) (string, string) { return "nodes --kubeconfig /dev/zero", "" },
		"objects and list elements of one answer of the API server": func(t *testing.T, _ string) (string, string) {
			return "diagnose -o json --server " + answering(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprint(w, `{"kind":"NodeList","apiVersion":"v1","items":[`+repeated("{},", 200_000)+"{}]}")
			}), ""
		},
		"answer of the API server": func(t *testing.T, _ string) (string, string) {
			return "diagnose -o json --server " + answering(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/api/v1/nodes" { // one endless answer shows the limit
					http.NotFound(w, r)
					return
				}
				block := []byte(repeated(" ", 1<<20))
				_, err := w.Write([]byte("{"))
				for err == nil {
					_, err = w.Write(block)
				}
			}), ""
		},
		"time of a request to the API server": func(t *testing.T, _ string) (string, string) {
			return "diagnose -o json --request-timeout 1s --server " + answering(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/version" {
					return
				}
				select {
				case <-r.Context().Done():
				case <-time.After(time.Minute):
				}
			}), ""
		},
	}
}

func answering(t *testing.T, answer http.HandlerFunc) string {
	server := httptest.NewServer(answer)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server.URL
}

// Every row of the table of limits has a case, and the output matches the row.
func TestEachLimit(t *testing.T) {
	page, err := os.ReadFile("../../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "\n## Limits of input\n")
	table, _, _ = strings.Cut(table, "\n## ")
	cases := limitCases()
	for _, row := range regexp.MustCompile(`(?m)^\| (.+) \| (.+) \| (.+) \|$`).FindAllStringSubmatch(table, -1) {
		input, says := strings.ReplaceAll(row[1], "`", ""), strings.ReplaceAll(row[3], "`", "")
		if input == "input" {
			continue
		}
		c := cases[input]
		delete(cases, input)
		if c == nil {
			t.Errorf("no case meets the limit of: %s", input)
			continue
		}
		t.Run(input, func(t *testing.T) {
			command, out := c(t, t.TempDir())
			if command != "" {
				out = printed(t, command)
			}
			want := regexp.MustCompile(`\bN\b`).ReplaceAllString(regexp.QuoteMeta(says), `\d+`)
			if !regexp.MustCompile(want).MatchString(strings.Join(strings.Fields(out), " ")) {
				t.Errorf("%.100s says not: %s\n%.1500s", command, says, out)
			}
		})
	}
	for input := range cases {
		t.Errorf("the table has no row of: %s", input)
	}
}
