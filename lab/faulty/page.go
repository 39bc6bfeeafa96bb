package faulty

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"

	apimeta "k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
)

type (
	pageKey struct{}
	endKey  struct{}
	place   struct {
		read Read
		page int
	}
)

// withPage attaches the request to its response.
func withPage(ctx context.Context, read Read, page int) context.Context {
	return context.WithValue(ctx, pageKey{}, place{read, page})
}

func pageOf(ctx context.Context) (Read, int, bool) {
	at, ok := ctx.Value(pageKey{}).(place)
	return at.read, at.page, ok
}

// withoutEnd marks the request for a page of an endless list.
func withoutEnd(ctx context.Context) context.Context {
	return context.WithValue(ctx, endKey{}, true)
}

func endless(ctx context.Context) bool { return ctx.Value(endKey{}) != nil }

// answered is a page as the API server sent it.
type answered struct {
	body    []byte
	list    runtime.Object
	changed bool
}

func openList(resp *http.Response) (*answered, error) {
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, fmt.Errorf("read a page: %w", err)
	}
	_ = resp.Body.Close()
	list, _, err := scheme.Codecs.UniversalDeserializer().Decode(body, nil, nil)
	if err != nil {
		return nil, fmt.Errorf("decode a page: %w", err)
	}
	return &answered{body: body, list: list}, nil
}

// token returns the continue token; "" on the last page.
func (a *answered) token() string {
	m, err := apimeta.ListAccessor(a.list)
	if err != nil {
		return ""
	}
	return m.GetContinue()
}

// forge makes the page part of a list without an end: its objects have unique names, and another page follows.
func (a *answered) forge(number int) error {
	m, err := apimeta.ListAccessor(a.list)
	if err != nil {
		return err
	}
	m.SetContinue("endless-" + strconv.Itoa(number))
	m.SetRemainingItemCount(nil)
	a.changed = true
	if number == 1 {
		return nil
	}
	return apimeta.EachListItem(a.list, func(o runtime.Object) error {
		item, err := apimeta.Accessor(o)
		if err == nil {
			item.SetName(item.GetName() + "-" + strconv.Itoa(number))
			item.SetUID(types.UID(string(item.GetUID()) + strconv.Itoa(number)))
		}
		return err
	})
}

// write writes the page to the response.
func (a *answered) write(resp *http.Response) error {
	if a.changed {
		info, ok := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), resp.Header.Get("Content-Type"))
		if !ok {
			return fmt.Errorf("encode a page: unknown form %q", resp.Header.Get("Content-Type"))
		}
		var out bytes.Buffer
		if err := info.Serializer.Encode(a.list, &out); err != nil {
			return fmt.Errorf("encode a page: %w", err)
		}
		a.body = out.Bytes()
	}
	resp.Body = io.NopCloser(bytes.NewReader(a.body))
	resp.ContentLength = int64(len(a.body))
	resp.Header.Set("Content-Length", strconv.Itoa(len(a.body)))
	return nil
}
