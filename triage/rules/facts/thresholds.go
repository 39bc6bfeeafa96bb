package facts

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/bounds/quantity"
)

// threshold is the value below which a kubelet evicts: an amount, or a share of the whole.
type threshold struct {
	amount uint64
	share  float64 // of 1; 0: the amount counts
	text   string
}

// usualThresholds are the kubelet's defaults (kubernetes pkg/kubelet/eviction/defaults_linux.go, 1.36.3).
var usualThresholds = map[string]string{
	"memory.available": "100Mi", "nodefs.available": "10%", "nodefs.inodesFree": "5%", "imagefs.available": "15%", "imagefs.inodesFree": "5%",
}

// HardThreshold returns the kubelet's hard eviction threshold for a signal, from its settings ("evictionHard.nodefs.available":
// "10%"). configured reports whether they set it.
func HardThreshold(settings map[string]string, signal string) (t threshold, configured bool) {
	text, configured := settings["evictionHard."+signal]
	if t, ok := parseThreshold(text); ok {
		return t, configured
	}
	t, _ = parseThreshold(usualThresholds[signal])
	return t, false
}

func parseThreshold(text string) (threshold, bool) {
	if share, ok := strings.CutSuffix(text, "%"); ok {
		percent, err := strconv.ParseFloat(share, 64)
		return threshold{share: percent / 100, text: text}, err == nil && percent > 0 && percent < 100
	}
	q, err := quantity.Parse(text)
	if err != nil || q.Sign() <= 0 {
		return threshold{}, false
	}
	return threshold{amount: uint64(q.Value()), text: text}, true
}

// Left returns what is free in the unit of the threshold.
func (t threshold) Left(free, whole uint64) string {
	share := fmt.Sprintf("%d %% of the space", Percent(free, whole))
	if t.amount == 0 {
		return share + " free"
	}
	return fmt.Sprintf("%dMi free (%s)", free>>20, share)
}

// usualPart is the inverse of the largest share that thresholds usually reserve.
const usualPart = 4

// Unusual returns a hint if the threshold itself causes the pressure, because it is far above usual values. Otherwise it returns
// "".
func (t threshold) Unusual(whole uint64) string {
	if whole == 0 || t.Of(whole) <= whole/usualPart {
		return ""
	}
	return fmt.Sprintf("its kubelet's %s is unusually high: lower evictionHard first", t)
}

// Of returns the threshold as an amount of the whole.
func (t threshold) Of(whole uint64) uint64 {
	if t.share > 0 {
		return uint64(t.share * float64(whole))
	}
	return t.amount
}

func (t threshold) String() string { return fmt.Sprintf("threshold %s", t.text) }
