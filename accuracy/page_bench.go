package accuracy

// published are the top-1 accuracies of language models over all categories of the benchmark, from its README.
var published = []struct{ model, boutique, ticket string }{
	{"DeepSeek-V3.2", "0.73", "0.54"}, {"GPT-5", "0.67", "0.57"}, {"Claude-4-Sonnet", "0.54", "0.58"},
}

// pageBench writes the part of the page about Cloud-OpsBench.
func pageBench(p func(format string, args ...any), r *BenchRound) {
	if r == nil {
		return
	}
	p("## Cloud-OpsBench")
	p("")
	p("A benchmark for agents ([LLM4Ops/Cloud-OpsBench](https://github.com/LLM4Ops/Cloud-OpsBench), commit %s): clusters with one fault", r.Commit)
	p("injected, and what tools answered at that moment. The program was given what a person would paste: `kubectl get` and `describe`")
	p("of pods and nodes, events, and `systemctl status` of kubelet, runtime, kube-proxy and scheduler. Measured on %s with", r.Date)
	p("`go run ./accuracy/cmd/accuracy -opsbench FOLDER`.")
	p("")
	p("| fault of a node or the control plane | cases | first finding right | wrong and certain |")
	p("| --- | --- | --- | --- |")
	cases, right, apps, blamed, hinted, wrong := 0, 0, 0, 0, 0, 0
	for _, f := range r.Faults {
		wrong += f.Wrong
		if !f.OfNode {
			apps, blamed, hinted = apps+f.Cases, blamed+f.Blamed, hinted+f.Hinted
			continue
		}
		p("| %s | %d | %d | %d |", f.Fault, f.Cases, f.Right, f.Wrong)
		cases, right = cases+f.Cases, right+f.Right
	}
	p("| all | %d | %s | |", cases, share(right, cases))
	p("")
	p("The delay and the loss of packets were injected without a trace in what was given: `kubectl` and `systemctl` do not show them.")
	p("")
	p("In the other %d cases an application, its settings or its place is at fault, which the program does not look for. It must not", apps)
	p("blame a node then: it did so with *likely* or more in %s, most of them a registry that nodes cannot reach, and named", share(blamed, apps))
	p("a node's cause as *possible* first in %s.", share(hinted, apps))
	p("Wrong and certain, over all: %d.", wrong)
	p("")
	p("The benchmark publishes top-1 accuracies of language models that ask its tools, over all categories:")
	p("")
	p("| model | Online Boutique | Train-Ticket |")
	p("| --- | --- | --- |")
	for _, m := range published {
		p("| %s | %s | %s |", m.model, m.boutique, m.ticket)
	}
	p("")
	p("These are not the same question: the models look for faults of applications too and choose what to ask; the program gets all")
	p("answers at once, names causes of nodes alone, and gives the same answer each time.")
	p("")
}
