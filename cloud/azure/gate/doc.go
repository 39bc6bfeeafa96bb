// Package gate decides what nodetriage answers to the health check requests of an AKS upgrade. AKS stops the upgrade at a False, and
// also without a True at the deadline: a wrong answer and a missing answer both cost the upgrade.
//
// Packages health and upgrade below it are the types of the two API groups. They follow the types that github.com/Azure/AKS-Health-Signal
// publishes, which is not a module that others can import. Package signals publishes the answers.
package gate
