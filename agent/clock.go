package agent

import (
	"context"
	"fmt"
	"time"

	"github.com/nodetriage/nodetriage/nodereport"
)

// clock asks the kernel whether somebody keeps its clock. How far it is off is told by the API server's answer, where
// there is one.
func clock(_ context.Context, h *Host, r *nodereport.Report) error {
	synchronised, offset, err := h.system.kernelTime()
	if err != nil {
		return err
	}
	r.Clock = &nodereport.Clock{
		Synchronized: &synchronised, Offset: offset, Shown: h.now.UTC().Truncate(time.Second),
		Ref: fmt.Sprintf("adjtimex: synchronised %t, offset %s", synchronised, offset),
	}
	return nil
}
