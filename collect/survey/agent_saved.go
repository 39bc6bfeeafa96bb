package survey

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/kube"
)

// Saved returns the archives that the agent on the node keeps, even if the agent is not running: the archives stay valid. Without
// an agent there are none. The error is about the path to the node.
func Saved(ctx context.Context, r *kube.Reader, node string, opt Options) (saved []nodereport.Saved, err error) {
	opt = opt.withDefaults()
	return saved, said(r.NodeProxy(ctx, node, agentReport, opt.ProbeTimeout, collect.MaxAgentReport, func(a kube.NodeAnswer) error {
		if a.Status == http.StatusOK {
			saved = collect.SavedOf(a.Body)
		}
		return nil
	}))
}

// Unfit returns why an archive cannot be fetched, according to the report; nil if it can.
func Unfit(s nodereport.Saved) error {
	if _, ok := nodereport.SavedAt(s.File); !ok {
		return errors.New("it has an invalid name")
	}
	switch {
	case s.Bytes <= 0:
		return errors.New("the agent's report does not contain its size")
	case s.Bytes > nodereport.MaxSaved:
		return fmt.Errorf("its %d bytes are more than the %d that an agent saves", s.Bytes, nodereport.MaxSaved)
	}
	return nil
}

// FetchSaved copies an archive of the agent on the node. It returns nil only if the archive is complete. An unresponsive node
// costs no more time than any other kubelet request.
func FetchSaved(ctx context.Context, r *kube.Reader, node string, s nodereport.Saved, to io.Writer, opt Options) error {
	if err := Unfit(s); err != nil {
		return err
	}
	opt = opt.withDefaults()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	begins := time.AfterFunc(opt.ProbeTimeout, func() { end(errSilent) })
	defer begins.Stop()
	err := r.NodeProxy(ctx, node, agentFolder+s.File, opt.ProbeTimeout+opt.download, s.Bytes, func(a kube.NodeAnswer) error {
		begins.Stop()
		if a.Status != http.StatusOK {
			return fmt.Errorf("the kubelet answered HTTP %d", a.Status)
		}
		n, err := io.Copy(to, a.Body)
		switch {
		case errors.Is(err, kube.ErrTooLong):
			return fmt.Errorf("it is longer than the %d bytes in the agent's report", s.Bytes)
		case err == nil && n != s.Bytes:
			return fmt.Errorf("it has %d bytes, but the agent's report says %d", n, s.Bytes)
		}
		return err
	})
	if why := context.Cause(ctx); err != nil && why != nil {
		return why
	}
	return said(err)
}

var errSilent = errors.New("no answer through the API server in time")

// said returns an error on the path to a kubelet, without the details that the caller adds.
func said(err error) error {
	var e *kube.Error
	if errors.As(err, &e) {
		return errors.New(wayError(e))
	}
	return err
}
