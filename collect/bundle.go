package collect

// manifestName is the file of a bundle that lists its content; it is no evidence.
const manifestName = "nodetriage-manifest.json"
