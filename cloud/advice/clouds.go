package advice

import "github.com/nodetriage/nodetriage/knowledge/shell"

// Default is the cloud of the commands in the catalog, and the fallback if the cloud is unknown.
const Default = Azure

// commands has the commands of all clouds. Add a new cloud here.
var commands = map[Cloud]map[Action]shell.Text{Azure: azure, AWS: ec2}
