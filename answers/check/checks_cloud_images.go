package check

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/cloud/advice"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// oldImage is how long AKS supports a node image.
const oldImage = 90 * 24 * time.Hour

// cloudImages compares the image of a pool with the latest one and with its nodes' images, and checks its age.
func (r *reviewer) cloudImages() {
	for _, p := range cloudOf[*evidence.CloudPool](r) {
		made, known := imageDate(p.Image)
		if !known || r.Now.IsZero() {
			r.unknown("the age of the node image of pool "+p.Name, "its name contains no date, or the time of the evidence is unknown", advice.Default.Command(advice.ShowState))
		}
		if age := r.Now.Sub(made); known && !r.Now.IsZero() && age > oldImage {
			r.add(poolSubject(p), fmt.Sprintf("image %s is %d days old", p.Image, int(age.Hours()/24)), upgradeImage(p))
		}
		if known {
			r.newerImages(p, made)
		}
		r.otherImages(p)
	}
}

// newerImages compares the image of a pool, built at made, with the latest.
func (r *reviewer) newerImages(p *evidence.CloudPool, made time.Time) {
	for _, u := range cloudOf[*evidence.CloudPoolUpgrade](r) {
		if latest, ok := imageDate(u.LatestImage); ok && strings.EqualFold(u.Pool, p.Name) && latest.After(made) {
			r.add(poolSubject(p), "image "+p.Image+" is not the latest one, "+u.LatestImage, upgradeImage(p))
		}
	}
}

// otherImages finds nodes of the pool with another image than the pool.
func (r *reviewer) otherImages(p *evidence.CloudPool) {
	if p.Image == "" {
		return
	}
	for _, n := range r.s.Data().Nodes {
		has := n.Labels[evidence.LabelNodeImage]
		if n.Labels[evidence.LabelAgentPool] == p.Name && has != "" && has != p.Image {
			r.add(n.Subject(), "has image "+has+", but its pool has "+p.Image, upgradeImage(p))
		}
	}
}

func upgradeImage(p *evidence.CloudPool) shell.Text {
	return advice.Default.Command(advice.UpgradeImage, p.Name)
}

// imageDate returns when an image was built, according to its name: AKSUbuntu-2204gen2containerd-202605.18.0 is of 18 May 2026.
func imageDate(image string) (time.Time, bool) {
	i := strings.LastIndexByte(image, '-')
	parts := strings.Split(image[i+1:], ".")
	if i < 0 || len(parts) < 2 || len(parts[0]) != 6 {
		return time.Time{}, false
	}
	day := parts[1]
	if len(day) == 1 {
		day = "0" + day
	}
	t, err := time.Parse("20060102", parts[0]+day)
	return t, err == nil
}

func (r *reviewer) cloudWindow() {
	for _, c := range r.clusters("whether the cloud can upgrade at any time") {
		if c.RenewsImages == evidence.Unknown {
			r.unknown("whether the cloud can upgrade at any time", "the node OS channel was not read", advice.Default.Command(advice.ShowCluster))
		}
		own := slices.ContainsFunc(cloudOf[*evidence.CloudWindow](r), func(m *evidence.CloudWindow) bool { return !strings.EqualFold(m.Name, "default") })
		if c.RenewsImages == evidence.True && !own {
			r.add(evidence.ClusterSubject(), "node OS channel "+c.ImageChannel+", without a maintenance window",
				advice.Default.Command(advice.SetMaintenanceWindow))
		}
	}
}

func (r *reviewer) cloudChannel() {
	for _, c := range r.clusters("whether node images are updated automatically") {
		if c.RenewsImages == evidence.Unknown {
			r.unknown("whether node images are updated automatically", "the node OS channel was not read", advice.Default.Command(advice.ShowCluster))
		}
		if channel := c.ImageChannel; c.RenewsImages == evidence.False {
			r.add(evidence.ClusterSubject(), "node OS channel "+channel)
		}
	}
}
