package collect

import "bytes"

// withoutIndent removes the white space with which all lines of a text start. Chats and tickets add it.
func withoutIndent(text []byte) []byte {
	var indent []byte
	for line := range bytes.Lines(text) {
		body := bytes.TrimLeft(line, " \t")
		if len(bytes.TrimSpace(body)) == 0 {
			continue
		}
		own := line[:len(line)-len(body)]
		if indent == nil {
			indent = own
		}
		for !bytes.HasPrefix(own, indent) {
			indent = indent[:len(indent)-1]
		}
		if len(indent) == 0 {
			return text
		}
	}
	if len(indent) == 0 {
		return text
	}
	out := make([]byte, 0, len(text))
	for line := range bytes.Lines(text) {
		out = append(out, bytes.TrimPrefix(line, indent)...)
	}
	return out
}
