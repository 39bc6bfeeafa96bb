package evidence

// ConditionNodetriageHealthy is the node condition that nodetriage-controller sets if it is switched on. It repeats a conclusion and is no
// evidence.
const ConditionNodetriageHealthy = "NodetriageHealthy"

// Controller is the name of nodetriage-controller in the Events that it creates.
const Controller = "nodetriage-controller"

// Own reports whether the event was created by nodetriage-controller. Such an event repeats a conclusion and is no evidence.
func (e *Event) Own() bool { return e.Component == Controller }
