package nodes

// Object is the head of an entry of items, in the form of the Kubernetes API.
type Object struct {
	APIVersion string   `json:"apiVersion"`
	Kind       string   `json:"kind"`
	Metadata   Metadata `json:"metadata"`
}

// Metadata names the object.
type Metadata struct {
	Name      string            `json:"name"`
	Namespace string            `json:"namespace,omitempty"`
	Labels    map[string]string `json:"labels,omitempty"` // the requested labels of a node
}

// List is all nodes of the evidence, or the selected ones.
type List struct {
	*Map
	// Items are all nodes, group by group. The nodes in groups are the same; they are deprecated.
	Items []Item `json:"items,omitzero"`
}

// Item is one node.
type Item struct {
	Object
	*Node
}

// Listed returns the map with its items.
func (m *Map) Listed() *List {
	out := &List{Map: m, Items: []Item{}}
	for _, g := range m.Groups {
		for _, n := range g.Nodes {
			out.Items = append(out.Items, Item{Object{"v1", "Node", Metadata{Name: n.Name, Labels: n.Labels}}, n})
		}
	}
	return out
}
