package bounds

import (
	"strconv"
	"strings"
)

const (
	// maxQuantity is the maximum length in bytes of a quantity that is parsed unchanged.
	maxQuantity = 64
	// maxExponent is the maximum number of exponent digits. 1e99 is far beyond any quantity, and cheap.
	maxExponent = 2
	// largest and smallest are the documented bounds of a quantity: 2^63-1, which is 9.2e18, and one billionth.
	// (apimachinery pkg/api/resource/quantity.go: "Numbers larger or more precise will be capped or rounded up".)
	largest, smallest = "9e18", "1n"
	largestOrder      = 18 // of 9e18
	smallestOrder     = -9 // of 1n
)

// Quantity returns a text that parses fast, with the value of the quantity as far as Kubernetes can represent it. It
// returns ordinary quantities and other texts unchanged.
func Quantity(text string) string {
	if len(text) <= maxQuantity && !hugeExponent(text) {
		return text
	}
	n, ok := split(text)
	if !ok {
		return text[:min(len(text), maxQuantity)] + "?" // not a quantity: parsing fails at once
	}
	return n.within()
}

// hugeExponent reports whether the text ends in an exponent with more digits than maxExponent.
func hugeExponent(text string) bool {
	digits := trailingDigits(text)
	rest := strings.TrimRight(text[:len(text)-digits], "+-")
	return digits > maxExponent && (strings.HasSuffix(rest, "e") || strings.HasSuffix(rest, "E"))
}

func trailingDigits(text string) int {
	n := 0
	for n < len(text) && isDigit(text[len(text)-1-n]) {
		n++
	}
	return n
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// suffixes are quantity suffixes without an exponent (apimachinery pkg/api/resource/suffix.go).
var suffixes = map[string]bool{
	"": true, "n": true, "u": true, "m": true, "k": true, "M": true, "G": true, "T": true, "P": true, "E": true,
	"Ki": true, "Mi": true, "Gi": true, "Ti": true, "Pi": true, "Ei": true,
}

// number is a parsed quantity.
type number struct {
	sign, whole, fraction, suffix string
	exponent                      int
	scientific                    bool // it has an exponent
}

// split parses a quantity. It caps the exponent because only its sign and magnitude matter.
func split(text string) (n number, ok bool) {
	text = strings.TrimSpace(text)
	if text != "" && (text[0] == '+' || text[0] == '-') {
		n.sign, text = text[:1], text[1:]
	}
	end := strings.IndexFunc(text, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
	if end < 0 {
		end = len(text)
	}
	n.whole, n.fraction, _ = strings.Cut(text[:end], ".")
	n.suffix = text[end:]
	if end == 0 || strings.Contains(n.fraction, ".") || len(n.whole)+len(n.fraction) == 0 {
		return n, false
	}
	if !suffixes[n.suffix] && len(n.suffix) > 1 {
		n.exponent, ok = exponentOf(n.suffix)
		n.suffix, n.scientific = "", true
		return n, ok
	}
	return n, suffixes[n.suffix]
}

// exponentOf parses an exponent such as e-2147483648, capped to a million.
func exponentOf(suffix string) (int, bool) {
	sign, digits := 1, suffix[1:]
	if digits != "" && (digits[0] == '+' || digits[0] == '-') {
		if digits[0] == '-' {
			sign = -1
		}
		digits = digits[1:]
	}
	if suffix[0]|0x20 != 'e' || digits == "" || trailingDigits(digits) < len(digits) {
		return 0, false
	}
	const million = 1_000_000
	value := 0
	for i := 0; i < len(digits) && value < million; i++ {
		value = value*10 + int(digits[i]-'0')
	}
	return sign * min(value, million), true
}

// within returns the number with few digits, within the bounds of a quantity.
func (n number) within() string {
	whole := strings.TrimLeft(n.whole, "0")
	digits := strings.TrimLeft(whole+n.fraction, "0")
	if digits == "" {
		return "0"
	}
	order := len(whole) - 1 + n.exponent // of the first nonzero digit
	if whole == "" {
		order = len(digits) - len(n.fraction) - 1 + n.exponent
	}
	switch {
	case order >= largestOrder:
		return n.sign + largest
	case n.suffix == "" && order < smallestOrder:
		return n.sign + smallest
	case n.suffix != "":
		return n.short(whole)
	}
	digits = digits[:min(len(digits), largestOrder)]
	if n.scientific {
		return n.sign + strings.TrimSuffix(digits[:1]+"."+digits[1:], ".") + "e" + strconv.Itoa(order)
	}
	return n.sign + point(digits, order)
}

// short returns a number with a suffix: m, Gi. It truncates fractions to the precision of a quantity.
func (n number) short(whole string) string {
	if whole == "" {
		whole = "0"
	}
	const shown = 12
	fraction := n.fraction[:min(len(n.fraction), shown)]
	if strings.Trim(n.fraction, "0") != "" && strings.Trim(fraction, "0") == "" && whole == "0" {
		return n.sign + smallest
	}
	if fraction != "" {
		fraction = "." + fraction
	}
	return n.sign + whole + fraction + n.suffix
}

// point formats digits whose first has the given order, between smallestOrder and largestOrder, as a plain number.
func point(digits string, order int) string {
	switch {
	case order < 0:
		return "0." + strings.Repeat("0", -order-1) + digits
	case len(digits) <= order+1:
		return digits + strings.Repeat("0", order+1-len(digits))
	}
	return digits[:order+1] + "." + digits[order+1:]
}
