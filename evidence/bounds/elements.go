package bounds

import "fmt"

// MaxElements bounds the objects and list elements of one document. The shortest has two bytes and becomes a struct of up to a
// kilobyte. A page of 500 pods has half as many.
const MaxElements = 300_000

// ErrElements is a document of more than MaxElements.
var ErrElements = fmt.Errorf("it has more than %d objects and list elements", MaxElements)

// MaxObjectElements bounds those of one object of the API. EndpointSlices, the largest there are, have 1,000 endpoints of about
// eight each.
const MaxObjectElements = 30_000

// ErrObjectElements is an object of more than MaxObjectElements.
var ErrObjectElements = fmt.Errorf("it has more than %d objects and list elements", MaxObjectElements)

// An object of the API has 20 bytes and more for each of its elements. One that has many must have some for each: a list of empty
// structs takes a thousand times its size.
const (
	freeElements = 1_000
	leastElement = 8
)

// ErrCrowded is an object of more than freeElements that are shorter than leastElement.
var ErrCrowded = fmt.Errorf("its objects and list elements have less than %d bytes each", leastElement)

// jsonElements counts the objects and the elements of lists. An object in a list counts twice.
func jsonElements(doc []byte) int {
	n := 0
	var inList []bool
	for i := 0; i < len(doc); i++ {
		switch doc[i] {
		case '"':
			i = stringEnd(doc, i)
		case '{', '[':
			n++
			inList = append(inList, doc[i] == '[')
		case '}', ']':
			inList = inList[:max(0, len(inList)-1)]
		case ',':
			if len(inList) > 0 && inList[len(inList)-1] {
				n++
			}
		}
	}
	return n
}

// stringEnd is the place of the quote that ends the string.
func stringEnd(doc []byte, from int) int {
	i := from + 1
	for i < len(doc) && doc[i] != '"' {
		if doc[i] == '\\' {
			i++
		}
		i++
	}
	return i
}

// messageElements counts what may be an element of a protobuf message that is much shorter than the struct it becomes: a tag of
// bytes and a short length. Texts have few such bytes.
func messageElements(message []byte) int {
	const short = 64
	n := 0
	for i := 1; i < len(message); i++ {
		if message[i] < short && message[i-1]&7 == 2 {
			n++
			i++
		}
	}
	return n
}
