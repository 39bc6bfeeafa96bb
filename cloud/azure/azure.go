package azure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/arm"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/cloud"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
)

// Options configure the connection to Azure. The zero value is the public cloud with credentials from the environment.
type Options struct {
	Tenant string // of the identity; empty: its home tenant
	// Subscription is the only one to query; empty: that of the nodes. The environment variable is
	// AZURE_SUBSCRIPTION_ID.
	Subscription string
	Cloud        string // public, china or government; empty: AZURE_ENVIRONMENT, or public
	// Endpoint is another Resource Manager: an emulator on this machine. It needs no credentials.
	Endpoint string
	LookBack time.Duration // how far back the activity log is read; 0: one day. Azure keeps 90 days.
}

// ErrNoCredentials means that this machine has no Azure credentials.
var ErrNoCredentials = errors.New("not logged in to Azure")

// NewReader returns a Reader. It sends no requests.
func NewReader(o Options) (*Reader, error) {
	c, err := connect(o, retries)
	if err != nil {
		return nil, err
	}
	return &Reader{
		arm: c, subscription: cmp.Or(o.Subscription, os.Getenv("AZURE_SUBSCRIPTION_ID")),
		lookBack: min(cmp.Or(o.LookBack, lookBack), logKept),
	}, nil
}

// connect returns a client. It sends no requests.
func connect(o Options, retry policy.RetryOptions) (*arm.Client, error) {
	opts := &arm.ClientOptions{DisableRPRegistration: true} // never registers a resource provider
	opts.Retry = retry
	opts.PerRetryPolicies = []policy.Policy{tries{}}
	opts.Telemetry = policy.TelemetryOptions{ApplicationID: "nodetriage"}
	var credential azcore.TokenCredential
	switch {
	case o.Endpoint != "":
		if err := loopback(o.Endpoint); err != nil {
			return nil, err
		}
		opts.Cloud = cloud.Configuration{
			ActiveDirectoryAuthorityHost: o.Endpoint,
			Services:                     map[cloud.ServiceName]cloud.ServiceConfiguration{cloud.ResourceManager: {Endpoint: o.Endpoint, Audience: o.Endpoint}},
		}
		opts.InsecureAllowCredentialWithHTTP = true
		credential = anonymous{}
	default:
		name := cmp.Or(o.Cloud, os.Getenv("AZURE_ENVIRONMENT"))
		config, known := clouds[strings.ToLower(name)]
		if !known {
			return nil, fmt.Errorf("unknown azure cloud %q: use public, china or government", name)
		}
		opts.Cloud = config
		var err error
		if credential, err = credentials(o.Tenant, config); err != nil {
			return nil, err
		}
	}
	c, err := arm.NewClient("nodetriage", "v0.1.0", credential, opts)
	if err != nil {
		return nil, fmt.Errorf("make a client for azure: %w", err)
	}
	return c, nil
}

var clouds = map[string]cloud.Configuration{
	"": cloud.AzurePublic, "public": cloud.AzurePublic, "china": cloud.AzureChina, "government": cloud.AzureGovernment,
	// Names of clouds in AZURE_ENVIRONMENT, as in az and other tools.
	"azurecloud": cloud.AzurePublic, "azurepubliccloud": cloud.AzurePublic, "azurechinacloud": cloud.AzureChina,
	"azureusgovernment": cloud.AzureGovernment, "azureusgovernmentcloud": cloud.AzureGovernment,
}

// loopback rejects an endpoint on another machine because the connection is not encrypted.
func loopback(endpoint string) error {
	u, err := url.Parse(endpoint)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("invalid azure endpoint %q: use an address such as http://127.0.0.1:8080", endpoint)
	}
	ip, err := netip.ParseAddr(u.Hostname())
	if err != nil || !ip.IsLoopback() {
		return fmt.Errorf("invalid azure endpoint %q: only a loopback address is allowed, such as http://127.0.0.1:8080", endpoint)
	}
	return nil
}

// anonymous is the identity for an emulator.
type anonymous struct{}

func (anonymous) GetToken(context.Context, policy.TokenRequestOptions) (azcore.AccessToken, error) {
	return azcore.AccessToken{Token: "none", ExpiresOn: time.Now().Add(time.Hour)}, nil
}

// credentials returns explicitly configured credentials: of the environment, a workload identity, or the login of az.
// It queries the metadata service only if AZURE_TOKEN_CREDENTIALS requests it, because elsewhere it does not answer.
func credentials(tenant string, config cloud.Configuration) (azcore.TokenCredential, error) {
	client := azcore.ClientOptions{Cloud: config}
	if os.Getenv("AZURE_TOKEN_CREDENTIALS") != "" {
		c, err := azidentity.NewDefaultAzureCredential(&azidentity.DefaultAzureCredentialOptions{ClientOptions: client, TenantID: tenant})
		if err != nil {
			return nil, fmt.Errorf("use AZURE_TOKEN_CREDENTIALS: %w", err)
		}
		return c, nil
	}
	var chain []azcore.TokenCredential
	if c, err := azidentity.NewEnvironmentCredential(&azidentity.EnvironmentCredentialOptions{ClientOptions: client}); err == nil {
		chain = append(chain, c)
	}
	if c, err := azidentity.NewWorkloadIdentityCredential(&azidentity.WorkloadIdentityCredentialOptions{ClientOptions: client, TenantID: tenant}); err == nil {
		chain = append(chain, c)
	}
	if loggedIn() {
		if c, err := azidentity.NewAzureCLICredential(&azidentity.AzureCLICredentialOptions{TenantID: tenant}); err == nil {
			chain = append(chain, c)
		}
	}
	if len(chain) == 0 {
		return nil, ErrNoCredentials
	}
	c, err := azidentity.NewChainedTokenCredential(chain, nil)
	if err != nil {
		return nil, fmt.Errorf("join azure credentials: %w", err)
	}
	return c, nil
}

// loggedIn reports whether az has a profile on this machine.
func loggedIn() bool {
	dir := os.Getenv("AZURE_CONFIG_DIR")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return false
		}
		dir = filepath.Join(home, ".azure")
	}
	_, err := os.Stat(filepath.Join(dir, "azureProfile.json"))
	return err == nil
}
