package documents

import "testing"

// A size and its family quota have different names.
func TestFamily(t *testing.T) {
	for _, same := range [][2]string{
		{"Standard_D4s_v5", "standardDSv5Family"}, {"Standard_D4s_v5", "Standard DSv5 Family vCPUs"}, {"Standard_D2_v3", "standardDv3Family"},
		{"Standard_L8s_v3", "standardLSv3Family"}, {"Standard_E16ds_v4", "standardEDSv4Family"}, {"Standard_B2s", "standardBSFamily"},
		{"Standard_NC24ads_A100_v4", "Standard NCADS_A100_v4 Family vCPUs"}, {"Standard_NC24ads_A100_v4", "StandardNCADSA100v4Family"},
		{"Standard_NC4as_T4_v3", "Standard NCASv3_T4 Family vCPUs"}, {"Standard_NV36ads_A10_v5", "Standard NVADSA10v5 Family vCPUs"},
		{"Standard_NC6s_v3", "Standard NCSv3 Family vCPUs"}, {"Standard_A2_v2", "standardAv2Family"}, {"Standard_E4-2s_v5", "Standard ESv5 Family vCPUs"},
		{"Standard_NC40ads_H100_v5", "StandardNCadsH100v5Family"}, {"Standard_DC4as_v5", "Standard DCASv5 Family vCPUs"}, {"Standard_F8s_v2", "Standard FSv2 Family vCPUs"},
	} {
		if a, b := family(same[0]), family(same[1]); a != b || a == "" {
			t.Errorf("%s is %q, %s is %q", same[0], a, same[1], b)
		}
	}
	for _, other := range []string{"cores", "StandardSkuPublicIpAddresses", "Total Regional vCPUs", ""} {
		if f := family(other); f != "" {
			t.Errorf("%q is family %q", other, f)
		}
	}
	if family("Standard_D4s_v5") == family("standardLSv3Family") {
		t.Error("D and L are one family")
	}
}

// The core count is in the name of a size, but ambiguous for a constrained size.
func TestCores(t *testing.T) {
	for size, want := range map[string]int{"Standard_D4s_v5": 4, "Standard_NC24ads_A100_v4": 24, "Standard_B2s": 2, "Standard_E16ds_v4": 16, "Standard_E4-2s_v5": 0, "": 0, "cores": 0} {
		if got := cores(size); got.Value != want || got.Known != (want > 0) {
			t.Errorf("%q has %d cores (known: %v), want %d", size, got.Value, got.Known, want)
		}
	}
}
