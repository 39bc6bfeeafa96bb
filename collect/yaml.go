package collect

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"sigs.k8s.io/yaml"
)

// addYAML reads documents divided by lines of three dashes, each bounded.
func (b *Builder) addYAML(name string, r io.Reader) {
	in := bufio.NewReader(r)
	var doc bytes.Buffer
	count := 0
	flush := func() {
		count++
		if len(bytes.TrimSpace(doc.Bytes())) > 0 {
			b.yamlDocument(fmt.Sprintf("%s document %d", name, count), name, doc.Bytes())
		}
		doc.Reset()
	}
	for {
		line, err := in.ReadSlice('\n')
		if string(bytes.TrimSpace(line)) == "---" && len(line) < 10 {
			flush()
		} else if doc.Len()+len(line) <= maxDocument {
			doc.Write(line)
		} else {
			b.Gap(name, fmt.Sprintf("a YAML document is larger than %d MiB", maxDocument>>20), "export it as JSON: it is read object by object")
			return
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			flush()
			if !errors.Is(err, io.EOF) {
				b.Gap(name, "reading stopped: "+err.Error(), "")
			}
			return
		}
	}
}

func (b *Builder) yamlDocument(where, name string, doc []byte) {
	data, err := yaml.YAMLToJSON(doc)
	if err != nil {
		b.Gap(where, "is no valid YAML: "+err.Error(), "")
		b.addText(name, bytes.NewReader(doc))
		return
	}
	b.addJSON(name, bytes.NewReader(data))
}
