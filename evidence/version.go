package evidence

import "github.com/nodetriage/nodetriage/evidence/nodereport"

// APIVersion stands in the JSON form of every result. It changes when a field goes or means something else.
const APIVersion = nodereport.APIVersion
