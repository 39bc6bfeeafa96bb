package facts

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// QuotasOf returns the quotas for the cores of the pool's machines that are nearly full or have no room for one more machine. If
// the size of the pool is unknown, quotas of any family count.
func QuotasOf(p *triage.Pass, pool *evidence.CloudPool) []evidence.Ref {
	var out []evidence.Ref
	for _, q := range Resources[*evidence.CloudQuota](p) {
		counts := q.AllCores || q.Family != "" && q.Family == pool.Family
		switch {
		case counts && pool.Cores.Known && q.Free().Known && q.Free().Value < pool.Cores.Value:
			ref := quotaRef(q)
			ref.Text += fmt.Sprintf("; one more VM of the pool needs %d", pool.Cores.Value)
			out = append(out, ref)
		case !full(q):
		case counts:
			out = append(out, quotaRef(q))
		case q.Family != "" && pool.Size == "":
			ref := quotaRef(q)
			ref.Text = "if its VMs belong to this family: " + ref.Text
			out = append(out, ref)
		}
	}
	return out
}

// full reports whether at least 90 % of a quota is used: requests are often for several cores.
func full(q *evidence.CloudQuota) bool {
	return q.Free().Known && q.Limit.Value > 0 && q.Used.Value*10 >= q.Limit.Value*9
}

func quotaRef(q *evidence.CloudQuota) evidence.Ref {
	return CloudRef(q, "usage", fmt.Sprintf("quota %s: %d of %d used", q.Name, q.Used.Value, q.Limit.Value))
}
