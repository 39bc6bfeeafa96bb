package evidence

import "slices"

// Channel is a path by which text enters the evidence. Its row has the possible writers and the allowed conclusions.
type Channel string

// Channels. The zero Channel is text whose writer only its format shows.
const (
	PlainText          Channel = ""
	NodeStatus         Channel = "node-status"
	MonitorCondition   Channel = "monitor-condition"
	ForeignCondition   Channel = "foreign-condition"
	PodFields          Channel = "pod-status"
	ForeignPodStatus   Channel = "foreign-pod-condition"
	TerminationMessage Channel = "termination-message"
	ProbeOutput        Channel = "probe-output"
	HookOutput         Channel = "hook-output"
	PodSpec            Channel = "pod-spec"
	RegistryAnswer     Channel = "registry-answer"
	WebhookAnswer      Channel = "webhook-answer"
	NodeEvent          Channel = "node-event"
	ObjectEvent        Channel = "object-event"
	ForeignEvent       Channel = "foreign-event"
	MisplacedEvent     Channel = "misplaced-event"
	ComponentLog       Channel = "component-log"
	ApplicationLog     Channel = "application-log"
	KubeletAnswer      Channel = "kubelet-answer"
	NodeReport         Channel = "node-report"
	NodeReportGap      Channel = "node-report-gap"
	BundleGap          Channel = "bundle-gap"
	CloudDocument      Channel = "cloud-document"
	ObjectNames        Channel = "object-names"
	Annotation         Channel = "annotation"
	Prose              Channel = "prose"
)

// Writer controls the content of a text.
type Writer string

// Writers.
const (
	Tenant       Writer = "tenant"        // users who create objects in a namespace, and processes in their pods
	NodeWriter   Writer = "node"          // kubelet, container runtime and kernel, and root users of the node
	ControlPlane Writer = "control plane" // the API server, the scheduler and the controllers
	Admin        Writer = "cluster admin" // including the add-ons of the cluster admin
	CloudWriter  Writer = "cloud"         // the cloud API
	Sender       Writer = "sender"        // the user who passes files or pastes text
)

// Reach limits the conclusions from the text of a channel.
type Reach string

// Reaches, from the widest to the narrowest.
const (
	AsComponent Reach = "as component" // same as a message of the component
	Hint        Reach = "hint"         // at most possible, and only with a signature for applications
	Shown       Reach = "shown"        // none: it is shown, but no signature matches it
	Dropped     Reach = "dropped"      // none: it is dropped
)

// ChannelRow describes a channel.
type ChannelRow struct {
	Channel Channel
	Holds   string // texts of the channel
	Writers []Writer
	Reach   Reach
	Note    string // a limit that is not in the columns
}

// channels is the table of channels.
var channels = []ChannelRow{
	{Channel: PlainText, Holds: "files and pasted text", Writers: []Writer{Sender}, Reach: AsComponent,
		Note: "The form of a line and the command above it show the component. Nothing proves it."},
	{Channel: NodeStatus, Holds: "node conditions that the kubelet, the node controller or the cloud controller sets", Writers: []Writer{NodeWriter, ControlPlane}, Reach: AsComponent},
	{Channel: MonitorCondition, Holds: "node conditions of known node monitors", Writers: []Writer{Admin, NodeWriter}, Reach: AsComponent},
	{Channel: ForeignCondition, Holds: "all other node conditions", Writers: []Writer{Admin, Tenant}, Reach: Hint,
		Note: "The type and the status still count as the report of a monitor."},
	{Channel: PodFields, Holds: "reasons and messages of pods and waiting containers, and of containers that the runtime could not start", Writers: []Writer{NodeWriter, ControlPlane}, Reach: AsComponent,
		Note: "About the pod and its node. Words of the pod spec and answers of registries in it have rows of their own."},
	{Channel: ForeignPodStatus, Holds: "pod conditions that Kubernetes does not define (readiness gates)", Writers: []Writer{Tenant}, Reach: Hint},
	{Channel: TerminationMessage, Holds: "messages of containers that have terminated (terminationMessagePath, or the end of the log)", Writers: []Writer{Tenant}, Reach: Hint},
	{Channel: ProbeOutput, Holds: "output of probes, in events and in the log of the kubelet", Writers: []Writer{Tenant}, Reach: Hint},
	{Channel: HookOutput, Holds: "commands and output of lifecycle hooks, in events, container status and the log of the kubelet", Writers: []Writer{Tenant}, Reach: Hint},
	{Channel: PodSpec, Holds: "image names, commands, paths and users of the pod spec that a message repeats", Writers: []Writer{Tenant}, Reach: Hint},
	{Channel: RegistryAnswer, Holds: "answers of image registries that the container runtime repeats", Writers: []Writer{Tenant}, Reach: Hint,
		Note: "The pod spec names the registry, so the tenant chooses who answers. The HTTP status and the error code count as the runtime's."},
	{Channel: WebhookAnswer, Holds: "messages of admission webhooks that deny a request", Writers: []Writer{Admin, Tenant}, Reach: Hint},
	{Channel: NodeEvent, Holds: "events about nodes in the namespace default", Writers: []Writer{NodeWriter, ControlPlane, Admin}, Reach: AsComponent,
		Note: "Everyone with permission to create events in the namespace default can write them."},
	{Channel: ObjectEvent, Holds: "events about other objects, in the namespace of the object, from a component that reports on such objects", Writers: []Writer{NodeWriter, ControlPlane, Admin, Tenant}, Reach: AsComponent,
		Note: "Everyone with permission to create events in that namespace can write them in the name of any component. They count for the object and for the node that its pod is bound to. Outside system namespaces their words fill no command."},
	{Channel: ForeignEvent, Holds: "events from other components, or from the kubelet of a node that the pod is not bound to", Writers: []Writer{Tenant}, Reach: Hint},
	{Channel: MisplacedEvent, Holds: "events about an object outside their namespace", Writers: []Writer{Tenant}, Reach: Dropped, Note: "\"Not checked\" counts them."},
	{Channel: ComponentLog, Holds: "logs of the components of a node, and of pods in system namespaces", Writers: []Writer{NodeWriter, Admin}, Reach: AsComponent},
	{Channel: ApplicationLog, Holds: "logs of all other pods", Writers: []Writer{Tenant}, Reach: Hint},
	{Channel: KubeletAnswer, Holds: "answers of the kubelet's own endpoints", Writers: []Writer{NodeWriter}, Reach: AsComponent},
	{Channel: NodeReport, Holds: "reports of nodetriage node-check and of the agent", Writers: []Writer{NodeWriter}, Reach: AsComponent,
		Note: "About that node and the pods that are bound to it."},
	{Channel: NodeReportGap, Holds: "data that a node report could not read, and the reason", Writers: []Writer{NodeWriter}, Reach: Shown,
		Note: "Quoted as the words of the report. The command to see more is nodetriage's own."},
	{Channel: BundleGap, Holds: "data that the manifest of a bundle lists as not read, and the reason", Writers: []Writer{Sender}, Reach: Shown,
		Note: "Quoted as the words of the bundle. The command to see more is nodetriage's own."},
	{Channel: CloudDocument, Holds: "answers and activity logs of a cloud", Writers: []Writer{CloudWriter}, Reach: AsComponent},
	{Channel: ObjectNames, Holds: "names, labels and kinds of objects", Writers: []Writer{Tenant, Admin}, Reach: Shown,
		Note: "Commands contain a name only if it is a plain word."},
	{Channel: Annotation, Holds: "annotations", Writers: []Writer{Tenant, Admin}, Reach: Shown,
		Note: "nodetriage.dev/ignore hides only findings about the same object, and the report counts them."},
	{Channel: Prose, Holds: "sentences of a person in pasted text", Writers: []Writer{Sender}, Reach: Shown,
		Note: "Quoted as the words of that person if there is no likely cause."},
}

// Channels returns the table of channels.
func Channels() []ChannelRow { return slices.Clone(channels) }

// Row returns the row of the channel.
func (c Channel) Row() ChannelRow {
	i := slices.IndexFunc(channels, func(r ChannelRow) bool { return r.Channel == c })
	if i < 0 {
		return ChannelRow{Channel: c, Reach: Hint, Writers: []Writer{Tenant}} // unknown channels have the least trust
	}
	return channels[i]
}

// Speaks reports whether text of the channel counts as a component message.
func (c Channel) Speaks() bool { return c.Row().Reach == AsComponent }

// ByApplication is the value of Ref.By for a text of an application.
const ByApplication = "application"

// ByPerson is the value of Ref.By for a sentence of the user.
const ByPerson = "person"

// WrittenByApplication marks a text of an application in command output.
const WrittenByApplication = "(written by the application)"
