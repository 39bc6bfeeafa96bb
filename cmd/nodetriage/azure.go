package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/nodetriage/nodetriage/cloud/azure"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/collect/survey"
)

// cloudFlags say how to ask the cloud about the machines behind nodes. Commands that judge have them.
type cloudFlags struct {
	wanted  bool
	upgrade bool // what the next upgrade needs is wanted too
	azure   azure.Options
}

func (f *cloudFlags) register(set *pflag.FlagSet) {
	f.wanted = true
	set.StringVar(&f.azure.Tenant, "azure-tenant", "", "log in to this Azure `TENANT` (default: that of the credentials)")
	set.StringVar(&f.azure.Subscription, "azure-subscription", "", "read only this Azure `SUBSCRIPTION` (default: AZURE_SUBSCRIPTION_ID, or that of the nodes)")
	set.StringVar(&f.azure.Cloud, "azure-cloud", "", "use this Azure `CLOUD`: public, china or government (default: AZURE_ENVIRONMENT, or public)")
	set.StringVar(&f.azure.Endpoint, "azure-endpoint", "", "use an Azure emulator at this loopback `URL`, without credentials")
}

// lookBack sets how far back the cloud's log is read; 0: as far as it is read if nobody asks.
func (f *cloudFlags) lookBack(d time.Duration) { f.azure.LookBack = d }

// read asks the cloud of the nodes that b holds. Whatever stands in the way becomes a gap.
func (f *cloudFlags) read(ctx context.Context, b *collect.Builder) error {
	onAzure := slices.ContainsFunc(b.ProviderIDs(), func(id string) bool { return strings.HasPrefix(id, "azure://") })
	if !f.wanted || !onAzure && f.azure.Subscription == "" {
		return nil
	}
	r, err := azure.NewReader(f.azure)
	if errors.Is(err, azure.ErrNoCredentials) {
		b.Gap("what Azure knows of the machines", err.Error(), "az login, or AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET; the role Reader is enough")
		return nil
	}
	if err != nil {
		return &usageError{err}
	}
	survey.Cloud(ctx, r, b, f.upgrade)
	return nil
}
