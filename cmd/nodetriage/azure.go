package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/cloud/azure"
	"github.com/nodetriage/nodetriage/evidence"
)

// cloudFlags are the flags for queries to the cloud about the machines of nodes.
type cloudFlags struct {
	azure azure.Options
}

func (f *cloudFlags) register(set *pflag.FlagSet) {
	set.StringVar(&f.azure.Tenant, "azure-tenant", "", "`TENANT` Azure tenant to log in to. Default: the tenant of the credentials.")
	set.StringVar(&f.azure.Subscription, "azure-subscription", "", "`SUBSCRIPTION` Azure subscription to read. Default: AZURE_SUBSCRIPTION_ID, or the subscription of the nodes.")
	set.StringVar(&f.azure.Cloud, "azure-cloud", "", "`CLOUD` Azure cloud: public, china or government. Default: AZURE_ENVIRONMENT, or public.")
	set.StringVar(&f.azure.Endpoint, "azure-endpoint", "", "`URL` Use an Azure emulator at this loopback URL, without credentials.")
}

// reader returns a reader of the cloud for these machines. Without a login the cloud is not read, which is a gap.
func (f *cloudFlags) reader(machines []string, back time.Duration) (cloud.Reader, *evidence.Gap, error) {
	known := slices.ContainsFunc(machines, func(id string) bool { return strings.HasPrefix(id, "azure://") })
	if !known && f.azure.Subscription == "" {
		return nil, nil, nil
	}
	opt := f.azure
	opt.LookBack = back
	r, err := azure.NewReader(opt)
	if errors.Is(err, azure.ErrNoCredentials) {
		return nil, &evidence.Gap{
			What: "what Azure knows of the machines", Why: err.Error(),
			How: "az login, or AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET; the role Reader is enough",
		}, nil
	}
	if err != nil {
		return nil, nil, badUsage(err)
	}
	return r, nil, nil
}

// inspect returns the state of a target of a change in the cloud; nil if the user is not logged in.
func (f *cloudFlags) inspect(ctx context.Context, about cloud.About) (*cloud.Standing, error) {
	var reader cloud.Inspector
	reader, err := azure.NewReader(f.azure)
	if errors.Is(err, azure.ErrNoCredentials) {
		return nil, nil
	}
	if err != nil {
		return nil, badUsage(err)
	}
	return reader.Inspect(ctx, about)
}

// describe returns the request of a change from evidence.
func (f *cloudFlags) describe(d *evidence.Data, about cloud.About) cloud.Request {
	return azure.Describe(d, about)
}
