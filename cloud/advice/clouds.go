package advice

import "github.com/nodetriage/nodetriage/knowledge/shell"

// Default is the cloud whose commands stand in the catalogue, and where nothing tells which cloud it is.
const Default = Azure

// commands are those of all clouds. A new one is added here.
var commands = map[Cloud]map[Action]shell.Text{Azure: azure, AWS: ec2}
