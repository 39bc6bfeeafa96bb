package collect

import "bytes"

// unread are lists in objects that are never decoded: environment values and command lines, which may hold secrets, the images of
// a node, and managedFields.
var unread = map[string]bool{
	`"env"`: true, `"envFrom"`: true, `"command"`: true, `"args"`: true, `"images"`: true, `"managedFields"`: true,
}

// compact appends an object to dst without white space and without the unread lists, because the cost of decoding grows with its
// bytes. The managedFields of a node stay: they show who cordoned it.
func compact(dst []byte, obj value) []byte {
	raw := obj.raw
	for i := 0; i < len(raw); {
		c := raw[i]
		switch c {
		case ' ', '\t', '\r', '\n':
			i++
		case '"':
			end := literalEnd(raw, i)
			key := raw[i:end]
			if list := listAfter(raw, end); list > 0 && unread[string(key)] && !(obj.kind == "Node" && string(key) == `"managedFields"`) {
				dst = append(dst, key...)
				dst = append(dst, ':', '[', ']')
				i = skipList(raw, list)
				continue
			}
			dst = append(dst, key...)
			i = end
		default:
			dst = append(dst, c)
			i++
		}
	}
	return dst
}

// literalEnd returns the position after the string literal that starts at i.
func literalEnd(raw []byte, i int) int {
	for at := i + 1; ; {
		n := bytes.IndexByte(raw[at:], '"')
		if n < 0 {
			return len(raw)
		}
		at += n + 1
		if !escaped(raw[i+1 : at-1]) {
			return at
		}
	}
}

// listAfter returns the position of the bracket if a list is the value of the key that ends at i, else 0.
func listAfter(raw []byte, i int) int {
	colon := false
	for ; i < len(raw); i++ {
		switch raw[i] {
		case ' ', '\t', '\r', '\n':
		case ':':
			if colon {
				return 0
			}
			colon = true
		case '[':
			if colon {
				return i
			}
			return 0
		default:
			return 0
		}
	}
	return 0
}

// skipList returns the position after the list that starts at i.
func skipList(raw []byte, i int) int {
	for depth := 0; i < len(raw); {
		switch raw[i] {
		case '"':
			i = literalEnd(raw, i)
			continue
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return i
}
