package collect

import "strings"

// ProviderOf reads the cloud out of the server's version, where it is written there.
func ProviderOf(version string) string {
	switch {
	case strings.Contains(version, "-gke."):
		return "gke"
	case strings.Contains(version, "-eks-"):
		return "eks"
	}
	return ""
}
