//go:build linux && !race

package main

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// hostileSize is the size of the largest inputs for the limits of time and memory, in bytes.
const hostileSize = 100_000_000

// filled writes a head, then numbered units up to hostileSize, then a tail.
func filled(head string, unit func(i int) string, tail string) func(io.Writer) {
	return func(w io.Writer) {
		n, _ := io.WriteString(w, head)
		for i := 0; n < hostileSize-len(tail)-4096; i++ {
			wrote, _ := io.WriteString(w, unit(i))
			n += wrote
		}
		_, _ = io.WriteString(w, tail)
	}
}

func same(unit string) func(int) string { return func(int) string { return unit } }

func numbered(format string) func(int) string {
	return func(i int) string { return strings.ReplaceAll(format, "#", fmt.Sprint(i)) }
}

// documentsOf returns the elements of a document of the testdata, one after another, each with a number in its names.
func documentsOf(file string) func(int) string {
	raw, err := os.ReadFile("testdata/hostile/" + file)
	if err != nil {
		panic(err)
	}
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		panic(err)
	}
	return func(i int) string {
		doc := string(list[i%len(list)])
		for _, name := range []string{`"name": "`, `"id": "`, `"eventDataId": "`} {
			doc = strings.ReplaceAll(doc, name, fmt.Sprintf("%s%d", name, i))
		}
		if i > 0 {
			return "," + doc
		}
		return doc
	}
}

// gzipBomb returns a text of that size, compressed with gzip.
func gzipBomb(unit string, size int) func(io.Writer) {
	return func(w io.Writer) {
		z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed)
		block := strings.Repeat(unit, 1+(1<<20)/len(unit))
		for n := 0; n < size; n += len(block) {
			_, _ = io.WriteString(z, block)
		}
		_ = z.Close()
	}
}

const (
	listOfPods   = `{"apiVersion":"v1","kind":"PodList","items":[`
	listOfEvents = `{"apiVersion":"v1","kind":"EventList","items":[`
)

// hostileStreams are files of 100 MB with millions of tiny objects or lines, or with contents that are slow to read.
func hostileStreams() (out []hostileFile) {
	add := func(name string, write func(io.Writer)) { out = append(out, hostileFile{name: name, stream: write}) }
	for name, unit := range map[string]string{
		"short-lines": "a\n", "empty-lines": "\n", "curl-lines": "curl -u\n", "curl-crowded": "curl -u curl -u x curl -u\n", "curl-numbered": "curl -u #:x http://h#\n", "curl-one-line": "curl -u ",
		"certificate-heads": "-----BEGIN CERTIFICATE-----\n", "certificate-heads-one-line": "-----BEGIN CERTIFICATE-----", "key-heads": "-----BEGIN RSA PRIVATE KEY-----\n", "key-bodies": "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC#\n",
		"passwords": "password: #\n", "tokens": "token=#abcdefgh key=#abcdefgh\n", "urls": "https://u:p#@h/\n", "json-escaped": `{\"password\":\"x#\"}` + "\n", "base64": "SGVsbG8gd29ybGQgMTIzNDU2Nzg5MEFCQ0RFRkdISUpLTE1OT1BR#Zz\n",
		"prompts": "root@n1:~# kubectl get pods\nNAME READY\n", "dollar-prompts": "$ df -h\nFilesystem Size\n", "fences": "```\n", "file-heads": "==> f# <==\n", "tabs": "a#\tb\tc\n", "units": "kubelet.service - #\n", "escapes": "\x1b[31m#\x1b[0m\n",
		"events-as-text": "5m Warning Failed pod/p# Error: x\n", "metrics": "kubelet_running_pods{n=\"#\"} 1\n", "messages": "E0102 03:04:05.678901 1 a.go:1] PLEG is not healthy: pleg was last seen active #m3s ago\n",
		"journal": "Jan 02 03:04:05 n1 kubelet[1]: E0102 03:04:05.678901 1 pod_workers.go:1] \"Error syncing pod\" pod=\"shop/web-#\" err=\"failed to pull image x#\"\n",
		"oom":     "[#.0] Out of memory: Killed process # (java) total-vm:#kB\n", "quoted": `time="2026-01-02T03:04:05Z" level=error msg="\"#\" said \"x509: certificate has expired\""` + "\n",
	} {
		add("large-"+name+".txt", filled("kubelet: no space left on device\n", numbered(unit), ""))
	}
	for name, unit := range map[string]string{
		"tiny": `{"metadata":{"name":"p#"}},`, "nulls": "null,", "objects": "{},", "lists": "[],", "numbers": "1,", "pods": `{"metadata":{"name":"p#","namespace":"n#","labels":{"a":"#"}},"spec":{"nodeName":"n1","containers":[{"name":"c","image":"i#","resources":{"requests":{"cpu":"#m"}}}]},"status":{"phase":"Running"}},`,
		"owners": `{"metadata":{"name":"p#","ownerReferences":[{"kind":"ReplicaSet","name":"r#","controller":true}]},"status":{"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False","reason":"Unschedulable","message":"0/# nodes are available"}]}},`,
		"odd":    `{"metadata":{"name":"p#"},"spec":{"containers":[{"name":1,"resources":{"requests":{"cpu":"x"}}}]}},`,
	} {
		add("large-pods-"+name+".json", filled(listOfPods, numbered(unit), `{}]}`))
	}
	add("large-events.json", filled(listOfEvents, numbered(`{"metadata":{"name":"e#"},"involvedObject":{"kind":"Pod","name":"p#"},"reason":"Failed","message":"x509: certificate has expired #"},`), `{}]}`))
	add("large-nodes.json", filled(`{"apiVersion":"v1","kind":"NodeList","items":[`, numbered(`{"metadata":{"name":"n#"},"status":{"conditions":[{"type":"Ready","status":"Unknown"}]}},`), `{}]}`))
	add("large-values.json", filled("", numbered(`{"a":#}`+"\n"), ""))
	add("large-log.json", filled("", numbered(`{"level":"error","ts":#,"msg":"x509: certificate has expired","pod":"p#"}`+"\n"), ""))
	add("large-activities.json", filled("[", documentsOf("activities.json"), "]"))
	add("large-machines.json", filled("[", documentsOf("machines.json"), "]"))
	for name, unit := range map[string]string{
		"documents": "---\nkind: Pod\napiVersion: v1\nmetadata: {name: p#}\n", "dashes": "---\n", "items": "- kind: Pod\n  metadata:\n    name: p#\n", "flow": "- [[],[],[],{},{},{},#]\n", "anchors": "- &a# x\n- *a#\n", "comments": "# #\n", "keys": "k#: v\n",
	} {
		add("large-yaml-"+name+".yaml", filled("apiVersion: v1\nkind: List\nitems:\n", numbered(unit), ""))
	}
	add("large-bomb-lines.gz", gzipBomb("kubelet: no space left on device\n", 2_000_000_000))
	add("large-bomb-pods.gz", gzipBomb(`{"metadata":{"name":"p1"}},`, 2_000_000_000))
	add("large-bomb-yaml.gz", gzipBomb("---\nkind: Pod\napiVersion: v1\nmetadata: {name: p1}\n", 2_000_000_000))
	add("large-bomb-curl.gz", gzipBomb("curl -u x\n", 2_000_000_000))
	add("large-bomb-one-line.gz", gzipBomb("x", 2_000_000_000))
	add("large-zeros.txt", filled("x\n", same(strings.Repeat("\x00", 4096)), ""))
	slices.SortFunc(out, inputsByName)
	return out
}

func inputsByName(a, b hostileFile) int { return strings.Compare(a.name, b.name) }
