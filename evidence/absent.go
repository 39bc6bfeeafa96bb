package evidence

import "fmt"

// AbsentError is the error for a name of an object that the evidence does not contain. If not all objects of its kind were
// read, the object may exist.
type AbsentError struct {
	What      string // its kind in words: node, node pool, pod
	Name      string
	Namespace string   // in which it was sought; "": in all, or the kind has none
	Names     []string // of the objects of this kind that the evidence contains
}

func (e *AbsentError) Error() string {
	if e.Namespace != "" {
		return fmt.Sprintf("%s %q not found in namespace %q", e.What, e.Name, e.Namespace)
	}
	return fmt.Sprintf("%s %q not found in the evidence", e.What, e.Name)
}
