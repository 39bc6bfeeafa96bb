package agent

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// pressure reads how long tasks stalled on CPU, memory and IO (kernel Documentation/accounting/psi.rst).
func pressure(_ context.Context, h *Host, r *nodereport.Report) error {
	for _, resource := range []string{"cpu", "memory", "io"} {
		data, err := h.read("/proc/pressure/"+resource, maxFile)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for line := range strings.Lines(string(data)) {
			p := nodereport.Pressure{Resource: resource}
			if n, _ := fmt.Sscanf(line, "%s avg10=%f avg60=%f avg300=%f", &p.Kind, &p.Avg10, &p.Avg60, &p.Avg300); n == 4 {
				r.Pressure = append(r.Pressure, p)
			}
		}
	}
	if r.Pressure == nil {
		return errors.New("the kernel has no pressure stall information: /proc/pressure is missing (boot with psi=1)")
	}
	return nil
}
