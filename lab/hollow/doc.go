// Package hollow simulates kubelets without machines. One process runs many of them, each with its own client
// certificate and with realistic timing. A node renews its lease every ten seconds, posts its status at each change and
// every five minutes, and starts and stops its pods. A silenced node sends no requests.
package hollow
