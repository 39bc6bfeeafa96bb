package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"

	"github.com/spf13/pflag"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/nodetriage/nodetriage/kube"
)

// clusterFlags are the flags of kubectl that select a cluster. client-go reads a kubeconfig, and the files it names, without a
// limit of size or time, so they are checked here first.
type clusterFlags struct {
	kubeconfig string
	overrides  clientcmd.ConfigOverrides
	extras     []string // of --as-user-extra
	loader     func() clientcmd.ClientConfig
}

func newClusterFlags() *clusterFlags {
	f := &clusterFlags{overrides: clientcmd.ConfigOverrides{ClusterDefaults: clientcmd.ClusterDefaults}}
	f.loader = sync.OnceValue(func() clientcmd.ClientConfig {
		rules := clientcmd.NewDefaultClientConfigLoadingRules()
		rules.DefaultClientConfig = &clientcmd.DefaultClientConfig
		rules.ExplicitPath = f.kubeconfig
		f.overrides.AuthInfo.ImpersonateUserExtra = valuesByKey(f.extras)
		return clientcmd.NewNonInteractiveDeferredLoadingClientConfig(&kubeconfigs{rules, &f.overrides}, &f.overrides)
	})
	return f
}

// AddFlags registers the flags of kubectl, except those for its own cache and for passwords.
func (f *clusterFlags) AddFlags(set *pflag.FlagSet) {
	set.StringVar(&f.kubeconfig, "kubeconfig", "", "Path to the kubeconfig file to use for CLI requests.")
	names := clientcmd.RecommendedConfigOverrideFlags("")
	names.ClusterOverrideFlags.APIServer.ShortName = "s"
	names.ClusterOverrideFlags.ProxyURL.LongName = ""
	names.AuthOverrideFlags.Username.LongName, names.AuthOverrideFlags.Password.LongName = "", ""
	clientcmd.BindOverrideFlags(&f.overrides, set, names)
	set.StringArrayVar(&f.extras, "as-user-extra", nil, "User extras to impersonate for the operation, this flag can be repeated to specify multiple values for the same key.")
	set.String("cache-dir", "", "Default cache directory")
	_ = set.MarkHidden("cache-dir") // without effect; scripts that set it for kubectl also set it here
}

// valuesByKey groups values of the form KEY=VALUE, and skips others, as kubectl does.
func valuesByKey(list []string) map[string][]string {
	var out map[string][]string
	for _, extra := range list {
		key, value, ok := strings.Cut(extra, "=")
		if !ok {
			continue
		}
		if out == nil {
			out = map[string][]string{}
		}
		out[key] = append(out[key], value)
	}
	return out
}

// ToRawKubeConfigLoader returns the selected configuration. Its files are read once.
func (f *clusterFlags) ToRawKubeConfigLoader() clientcmd.ClientConfig { return f.loader() }

// ToRESTConfig returns the configuration of the client for the selected cluster.
func (f *clusterFlags) ToRESTConfig() (*rest.Config, error) { return f.loader().ClientConfig() }

// kubeconfigs reads the files of client-go's rules within limits.
type kubeconfigs struct {
	*clientcmd.ClientConfigLoadingRules
	overrides *clientcmd.ConfigOverrides
}

// Load merges the files of --kubeconfig, of $KUBECONFIG, or of the home directory. A missing file is an error only if a flag
// names it.
func (k *kubeconfigs) Load() (*clientcmdapi.Config, error) {
	var configs []*clientcmdapi.Config
	for _, name := range k.GetLoadingPrecedence() {
		if name == "" {
			continue
		}
		config, err := readKubeconfig(name)
		if errors.Is(err, fs.ErrNotExist) && k.ExplicitPath == "" {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("kubeconfig %s: %w", name, err)
		}
		configs = append(configs, config)
	}
	all := kube.MergeConfigs(configs)
	if err := clientcmd.ResolveLocalPaths(all); err != nil {
		return nil, err
	}
	return all, k.checkFiles(all)
}

func readKubeconfig(name string) (*clientcmdapi.Config, error) {
	data, err := readFile(name, maxKubeconfig)
	if err != nil {
		return nil, err
	}
	config, err := kube.ParseConfig(data)
	if err != nil {
		return nil, err
	}
	for _, cluster := range config.Clusters {
		cluster.LocationOfOrigin = name
	}
	for _, user := range config.AuthInfos {
		user.LocationOfOrigin = name
	}
	for _, context := range config.Contexts {
		context.LocationOfOrigin = name
	}
	return config, nil
}

// checkFiles rejects certificate and token files of the chosen context that client-go would read without end. client-go reports
// other errors.
func (k *kubeconfigs) checkFiles(all *clientcmdapi.Config) error {
	chosen, cluster, user := clientcmdapi.Context{}, clientcmdapi.Cluster{}, clientcmdapi.AuthInfo{}
	if context := all.Contexts[cmp.Or(k.overrides.CurrentContext, all.CurrentContext)]; context != nil {
		chosen = *context
	}
	if of := all.Clusters[cmp.Or(k.overrides.Context.Cluster, chosen.Cluster)]; of != nil {
		cluster = *of
	}
	if of := all.AuthInfos[cmp.Or(k.overrides.Context.AuthInfo, chosen.AuthInfo)]; of != nil {
		user = *of
	}
	for _, file := range []struct{ field, name string }{
		{"certificate-authority", cmp.Or(k.overrides.ClusterInfo.CertificateAuthority, cluster.CertificateAuthority)},
		{"client-certificate", cmp.Or(k.overrides.AuthInfo.ClientCertificate, user.ClientCertificate)},
		{"client-key", cmp.Or(k.overrides.AuthInfo.ClientKey, user.ClientKey)},
		{"tokenFile", user.TokenFile},
	} {
		info, err := os.Stat(file.name)
		switch {
		case file.name == "", err != nil:
		case info.Mode().IsRegular() && info.Size() > maxKey:
			return fmt.Errorf("%s %s: is larger than %d KiB", file.field, file.name, maxKey>>10)
		case !info.Mode().IsRegular() && !info.IsDir():
			return fmt.Errorf("%s %s: is a named pipe, a device or a socket", file.field, file.name)
		}
	}
	return nil
}
