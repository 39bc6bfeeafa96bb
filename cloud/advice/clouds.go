package advice

// first is the cloud whose commands stand in the catalogue, and where nothing tells which cloud it is.
const first = Azure

// commands are those of all clouds. A new one is added here.
var commands = map[Cloud]map[Action]string{Azure: azure, AWS: ec2}
