package kube

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// acceptStream asks for the frames that newFrames reads.
const acceptStream = "application/vnd.kubernetes.protobuf;stream=watch,application/json;stream=watch," + accept

// maxChange bounds one change of a watch in bytes. etcd stores objects of up to 1.5 MB.
const maxChange = 16 << 20

// errLongChange means that a change exceeds maxChange.
var errLongChange = fmt.Errorf("the change is longer than %d MB", maxChange>>20)

// changes decodes the changes of a watch. It is the Decoder of a StreamWatcher.
type changes struct {
	frames frames
	decode func(body []byte) (any, error)
	sink   Sink
}

// frames reads the next change of a stream.
type frames interface {
	next() (metav1.WatchEvent, error)
	io.Closer
}

// newFrames returns the reader for the encoding of the response.
func newFrames(resp *http.Response) frames {
	media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if media == runtime.ContentTypeProtobuf {
		return &protobufFrames{ReadCloser: resp.Body, buffered: bufio.NewReader(resp.Body)}
	}
	limited := &io.LimitedReader{R: resp.Body}
	return &jsonFrames{ReadCloser: resp.Body, limited: limited, decoder: json.NewDecoder(limited)}
}

// protobufFrames reads messages that follow their length in four bytes, big endian.
type protobufFrames struct {
	io.ReadCloser
	buffered *bufio.Reader
	body     []byte
}

func (f *protobufFrames) next() (metav1.WatchEvent, error) {
	var e metav1.WatchEvent
	var length uint32
	if err := binary.Read(f.buffered, binary.BigEndian, &length); err != nil {
		return e, err
	}
	if length > maxChange {
		return e, errLongChange
	}
	if uint32(cap(f.body)) < length {
		f.body = make([]byte, length)
	}
	f.body = f.body[:length]
	if _, err := io.ReadFull(f.buffered, f.body); err != nil {
		return e, err
	}
	if err := e.Unmarshal(f.body); err != nil {
		return e, fmt.Errorf("read the change: %w", err)
	}
	return e, nil
}

// jsonFrames reads JSON objects.
type jsonFrames struct {
	io.ReadCloser
	limited *io.LimitedReader
	decoder *json.Decoder
}

func (f *jsonFrames) next() (metav1.WatchEvent, error) {
	var e metav1.WatchEvent
	f.limited.N = maxChange
	err := f.decoder.Decode(&e)
	if f.limited.N == 0 && err != nil {
		return e, errLongChange
	}
	return e, err
}

// Decode returns the next change. It waits for it.
func (c *changes) Decode() (watch.EventType, runtime.Object, error) {
	e, err := c.frames.next()
	if err != nil {
		return "", nil, err
	}
	switch action := watch.EventType(e.Type); action {
	case watch.Error:
		status := decodeStatus(e.Object.Raw)
		if status == nil {
			return "", nil, errors.New("the error of the watch cannot be read")
		}
		return action, status, nil
	case watch.Bookmark, watch.Deleted:
		var o metav1.PartialObjectMetadata
		if err := decode(e.Object.Raw, &o); err != nil {
			return "", nil, err
		}
		k := &kept{ObjectMeta: keptMetadata(&o)}
		k.Annotations = o.Annotations
		return action, k, nil
	case watch.Added, watch.Modified:
		object, err := c.decode(e.Object.Raw)
		if err != nil {
			return "", nil, err
		}
		k, err := keep(object, c.sink)
		return action, k, err
	default:
		return "", nil, fmt.Errorf("the watch sent a change of an unknown type %q", bound(e.Type))
	}
}

// Close ends the watch.
func (c *changes) Close() { _ = c.frames.Close() }
