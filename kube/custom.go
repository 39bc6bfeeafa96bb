package kube

import (
	"context"
	"encoding/json"
	"net/url"

	"github.com/nodetriage/nodetriage/evidence/bounds"
)

// Custom is a custom resource whose objects are read as JSON.
type Custom struct{ Group, Version, Name string }

// customPage is the number of objects that are read at most.
const customPage = "500"

// Custom returns the objects of a custom resource as a List, as kubectl prints it; nil if the server does not serve the group. It asks for
// the group first, which everyone may: without the permission, a list of a resource that does not exist is forbidden.
func (r *Reader) Custom(ctx context.Context, c Custom) ([]byte, error) {
	err := r.get(ctx, request{verb: "get", path: "/apis/" + c.Group, accept: "application/json"}, func([]byte) error { return nil })
	if ReasonOf(err) == NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	list := struct {
		APIVersion string            `json:"apiVersion"`
		Kind       string            `json:"kind"`
		Items      []json.RawMessage `json:"items"`
	}{}
	q := request{
		verb: "list", resource: c.Name + "." + c.Group, path: "/apis/" + c.Group + "/" + c.Version + "/" + c.Name,
		query: url.Values{"limit": {customPage}}, accept: "application/json",
	}
	if err := r.get(ctx, q, func(body []byte) error {
		if err := checkList(body); err != nil {
			return err
		}
		return bounds.JSON(body, &list)
	}); err != nil {
		return nil, err
	}
	list.APIVersion, list.Kind = "v1", "List"
	return json.Marshal(list)
}
