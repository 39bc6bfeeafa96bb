package advice

import (
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/shell"
)

func TestCommand(t *testing.T) {
	for _, c := range []struct {
		cloud  Cloud
		action Action
		values []string
		want   string
	}{
		{Azure, ShowSubnet, []string{"/subscriptions/0/x"}, "az network vnet subnet show --ids /subscriptions/0/x"},
		{Azure, ShowSubnet, []string{""}, "az network vnet subnet show --ids <subnet>"},
		{Azure, ShowSubnet, []string{"-x"}, "az network vnet subnet show --ids <subnet>"},
		{AWS, UpgradeImage, []string{"a b"}, "aws eks update-nodegroup-version --cluster-name <cluster> --nodegroup-name 'a b'"},
		{"other", ShowSubnet, []string{"s"}, "show subnet s"},
		{"other", StartMachine, nil, "start the VM"},
	} {
		if got := c.cloud.Command(c.action, c.values...); string(got) != c.want {
			t.Errorf("%s: %s becomes %q, want %q", c.cloud, c.action, got, c.want)
		}
	}
}

// A command in the catalog is translated for the cloud of the machine, and stays if that cloud has none.
func TestTranslate(t *testing.T) {
	for _, c := range []struct {
		cloud      Cloud
		from, want shell.Text
	}{
		{AWS, azure[StartMachine], "aws ec2 start-instances --instance-ids {instance-id}"},
		{AWS, "az vmss start -g {node-resource-group} -n {scale-set} --instance-ids {instance-id}", "aws ec2 start-instances --instance-ids {instance-id}"},
		{Azure, azure[StartMachine], azure[StartMachine]},
		{"other", azure[StartMachine], azure[StartMachine]},
		{AWS, "kubectl get nodes", "kubectl get nodes"},
	} {
		if got := c.cloud.Translate(c.from); got != c.want {
			t.Errorf("%s: %q becomes %q, want %q", c.cloud, c.from, got, c.want)
		}
	}
}
