package evidence

import "github.com/nodetriage/nodetriage/evidence/nodereport"

// APIVersion is the version of the JSON format of every result. It changes when a field is removed or changes its
// meaning.
const APIVersion = nodereport.APIVersion
