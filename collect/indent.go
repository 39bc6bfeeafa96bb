package collect

import "bytes"

// withoutIndent is a whole text without the white space with which all of its lines begin: so it comes out of chats and tickets.
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
