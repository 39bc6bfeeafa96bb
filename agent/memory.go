package agent

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/nodereport"
)

// memory reads /proc/meminfo and the swap devices.
func memory(_ context.Context, h *Host, r *nodereport.Report) error {
	data, err := h.read("/proc/meminfo", maxFile)
	if err != nil {
		return err
	}
	kib := map[string]uint64{}
	for line := range strings.Lines(string(data)) {
		name, rest, _ := strings.Cut(line, ":")
		if fields := strings.Fields(rest); len(fields) > 0 {
			if n, err := strconv.ParseUint(fields[0], 10, 64); err == nil {
				kib[name] = n
			}
		}
	}
	if kib["MemTotal"] == 0 {
		return fmt.Errorf("read /proc/meminfo: it shows no MemTotal")
	}
	m := &nodereport.Memory{Total: kib["MemTotal"] << 10, Available: kib["MemAvailable"] << 10}
	if swap, ok := kib["SwapTotal"]; ok {
		swap <<= 10
		m.SwapTotal, m.SwapUsed = &swap, swap-min(kib["SwapFree"]<<10, swap)
	}
	m.Ref = fmt.Sprintf("MemTotal: %d kB, MemAvailable: %d kB", kib["MemTotal"], kib["MemAvailable"])
	r.Memory = m
	for i, line := range strings.Split(h.text("/proc/swaps"), "\n") {
		if fields := strings.Fields(line); i > 0 && len(fields) > 0 {
			r.Swaps = append(r.Swaps, fields[0])
		}
	}
	return nil
}
