// Package bounds decodes untrusted JSON, YAML and protobuf of the API server.
//
// Decoders of Kubernetes types assume input that an API server validated. Files, pastes and foreign servers are not
// validated. This package changes or rejects input that would make a decoder, or code that uses its result, hang or
// panic:
//
//   - quantities with a huge exponent or hundreds of digits become the nearest value that Kubernetes documents,
//   - null elements in lists and maps of pointers are dropped,
//   - a document with more objects and list elements than a bound is rejected,
//   - YAML with more lines, keys and items than a bound, or with larger expanded aliases, is rejected.
package bounds
