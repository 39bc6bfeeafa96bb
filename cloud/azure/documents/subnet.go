package documents

import (
	"net/netip"
	"strconv"
)

const (
	keptBySubnet = 5       // addresses of each range that Azure keeps for itself
	maxAddresses = 1 << 24 // of one subnet, more than any may have
)

// subnetValues counts the addresses of a subnet, and those that machines and other things have: each has an IP configuration. A
// subnet whose document has no list of them says nothing, for one that has none leaves the list out too; one whose number was asked
// for says it.
func subnetValues(r *resource, tree map[string]any) {
	used := map[string]bool{}
	for _, at := range []string{"ipConfigurations", "properties.ipConfigurations"} {
		for _, c := range objectsIn(tree, at) {
			used[text(c, "id")] = true
		}
	}
	limit := addresses(append(stringsIn(tree, "addressPrefixes"), text(tree, "addressPrefix", "properties.addressPrefix")))
	count := field(tree, "ipConfigurations"+counted)
	if len(used) > 0 {
		count = strconv.Itoa(len(used))
	}
	if count == "" || limit <= 0 {
		return
	}
	r.Properties["currentValue"], r.Properties["limit"] = count, strconv.Itoa(limit)
}

// addresses is how many addresses of the IPv4 ranges can be had.
func addresses(ranges []string) (n int) {
	for _, cidr := range once(ranges) {
		if p, err := netip.ParsePrefix(cidr); err == nil && p.Addr().Is4() {
			n += 1<<(32-p.Bits()) - keptBySubnet
		}
	}
	return min(n, maxAddresses)
}
