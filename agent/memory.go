package agent

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// memory reads memory and swap (/proc/meminfo, /proc/swaps).
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
		return fmt.Errorf("read /proc/meminfo: it contains no MemTotal")
	}
	m := &nodereport.Memory{Total: kib["MemTotal"] << 10, Available: kib["MemAvailable"] << 10}
	if swap, ok := kib["SwapTotal"]; ok {
		swap <<= 10
		m.SwapTotal, m.SwapUsed = &swap, swap-min(kib["SwapFree"]<<10, swap)
	}
	m.Slab, m.SlabKept = kib["Slab"]<<10, kib["SUnreclaim"]<<10
	m.LargestFree = largestFree(h.text("/proc/buddyinfo"))
	m.Ref = fmt.Sprintf("MemTotal: %d kB, MemAvailable: %d kB", kib["MemTotal"], kib["MemAvailable"])
	r.Memory = m
	for i, line := range strings.Split(h.text("/proc/swaps"), "\n") {
		if fields := strings.Fields(line); i > 0 && len(fields) > 0 {
			r.Swaps = append(r.Swaps, fields[0])
		}
	}
	return nil
}

// largestFree returns the largest free contiguous block from /proc/buddyinfo, which has a line per zone and a number
// per order. It skips DMA zones if there are others, because ordinary allocations do not use them.
func largestFree(text string) uint64 {
	best := map[bool]uint64{}
	for line := range strings.Lines(text) {
		_, rest, ok := strings.Cut(line, "zone")
		f := strings.Fields(rest)
		if !ok || len(f) < 2 {
			continue
		}
		for order, n := range f[1:] {
			if n != "0" {
				best[f[0] == "Normal"] = max(best[f[0] == "Normal"], uint64(4096)<<order)
			}
		}
	}
	if n, normal := best[true]; normal {
		return n
	}
	return best[false]
}
