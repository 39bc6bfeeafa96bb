// Package signals publishes the answers to the health check requests of AKS upgrades as HealthSignals. Package gate decides them.
//
// Any process may do the work at any time, also two at once: what has to be done follows from the objects in the API alone. The object of
// a request has one name, so that a second process finds it. A final verdict is written with the resource version at which there was
// none, so that the first one stays.
package signals
