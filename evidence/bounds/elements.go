package bounds

import "fmt"

// MaxElements bounds the objects and list elements of one document. The shortest element has two bytes and becomes a
// struct of up to a kilobyte. A page of 500 pods has half as many.
const MaxElements = 300_000

// ErrElements means that a document has more than MaxElements.
var ErrElements = fmt.Errorf("it has more than %d objects and list elements", MaxElements)

// MaxObjectElements bounds the elements of one API object. EndpointSlices, the largest objects, have 1,000 endpoints of
// about eight each.
const MaxObjectElements = 30_000

// ErrObjectElements means that an object has more than MaxObjectElements.
var ErrObjectElements = fmt.Errorf("it has more than %d objects and list elements", MaxObjectElements)

// API objects have at least 20 bytes per element. Objects with many elements must meet this average because a list of
// empty structs takes a thousand times its size.
const (
	freeElements = 1_000
	leastElement = 8
)

// ErrCrowded means that an object has more than freeElements that are shorter than leastElement.
var ErrCrowded = fmt.Errorf("its objects and list elements have less than %d bytes each", leastElement)

// jsonElements counts objects and list elements. An object in a list counts twice.
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

// stringEnd returns the position of the closing quote.
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

// messageElements counts protobuf elements that are much shorter than their struct: a tag of bytes and a short length.
// Texts have few such bytes.
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
