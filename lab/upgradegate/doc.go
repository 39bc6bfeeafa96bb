// Package upgradegate asks for the health of nodes like an upgrade of AKS: it follows the published types and rules of
// github.com/Azure/AKS-Health-Signal. Its tests run the programs that answer, and kill them.
package upgradegate
