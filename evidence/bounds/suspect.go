package bounds

// suspectJSON reports whether JSON may contain a quantity that Quantity would change. It checks every object and reads
// a gigabyte per second.
func suspectJSON(doc []byte) bool {
	for e := nextExponent(doc, 1); e > 0; e = nextExponent(doc, e+1) {
		if standsAlone(doc, e) {
			return true
		}
	}
	return hasLongNumber(doc)
}

// suspectMessage is suspectJSON for a protobuf message.
func suspectMessage(doc []byte) bool {
	for e := nextExponent(doc, 1); e > 0; e = nextExponent(doc, e+1) {
		if fillsField(doc, e) {
			return true
		}
	}
	return hasLongNumber(doc)
}

// nextExponent returns the position of the next e with an exponent of more than maxExponent digits, or -1.
func nextExponent(doc []byte, from int) int {
	for i := from; i+maxExponent+1 < len(doc); i++ {
		if doc[i]|0x20 == 'e' && endsNumber(doc[i-1]) && exponentDigits(doc[i+1:]) > maxExponent {
			return i
		}
	}
	return -1
}

func endsNumber(c byte) bool { return isDigit(c) || c == '.' }

// exponentDigits counts the digits after an optional sign.
func exponentDigits(text []byte) int {
	at := 0
	if text[0] == '+' || text[0] == '-' {
		at++
	}
	n := 0
	for at+n < len(text) && isDigit(text[at+n]) {
		n++
	}
	return n
}

// standsAlone reports whether the number around the e is a whole value and not part of a hash or UID.
func standsAlone(doc []byte, e int) bool {
	from := numberStart(doc, e)
	to := e + 1
	for to < len(doc) && inNumber(doc[to]) {
		to++
	}
	return (from == 0 || !isLetter(doc[from-1])) && (to == len(doc) || !isLetter(doc[to]))
}

func numberStart(doc []byte, end int) int {
	for end > 0 && inNumber(doc[end-1]) {
		end--
	}
	return end
}

func inNumber(c byte) bool { return endsNumber(c) || c == '+' || c == '-' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// fillsField reports whether the number follows directly after a tag and a length, like the only field of a quantity.
// The length may look like a part of the number.
func fillsField(doc []byte, e int) bool {
	const tag = 1<<3 | 2 // the first field, of type bytes
	for from := e; from >= 2 && inNumber(doc[from-1]); from-- {
		if doc[from-2] == tag && e-from < 0x80 {
			return true
		}
	}
	from := numberStart(doc, e)
	return from >= 2 && doc[from-2] == tag || from >= 3 && doc[from-3] == tag
}

// hasLongNumber checks one byte per stride: a long sequence of digits covers two of them.
func hasLongNumber(doc []byte) bool {
	const long = maxQuantity / 2
	const stride = long / 2
	for i := 0; i < len(doc); i += stride {
		if !isDigit(doc[i]) {
			continue
		}
		from, to := i, i+1
		for from > 0 && isDigit(doc[from-1]) && to-from < long {
			from--
		}
		for to < len(doc) && isDigit(doc[to]) && to-from < long {
			to++
		}
		if to-from >= long {
			return true
		}
	}
	return false
}
