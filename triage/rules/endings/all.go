package endings

import "github.com/nodetriage/nodetriage/triage"

// All returns every ending. The first one that resolves a message is used. Later messages come first, then node state, then API
// objects, and silence last.
func All() []*triage.Ending {
	return []*triage.Ending{
		InstallerFinished,
		SaidLater, ShownReadyLater,
		Outlived,
		ShortageTakenBack,
		RoomAgain,
		PressureHeld,
		PluginIsBack,
		PluginSearchedElsewhere,
		PluginNamedNoMore,
		RuntimeAnswers,
		MemoryLimitLifted,
		ThreadsAgain,
		NoShimLeft,
		KubeletStaysUp,
		NetworkManagerRestarted,
		LinkUpAgain,
		ModuleWorks,
		RelistNotNamed,
		ComponentReady,
		KubeletsHeard,
		CloudOver,
		APIServerCameUp,
		MonitorMessageOver,
		WrittenByHand,

		// of logs
		RuntimeRestarted,
		LogGoesOn,
		RareOnWellNodes,
		PeriodicNotAgain,
		ReadySince,
		LeaseRenewed,
		NodeWell,
		PodStartedThere,

		// of events
		MachineStarted,
		EventShows,
		EventNotAgain,
		ImagePulledThere,
		PodMadeLaterRuns,
		NodeGone,
		RemovedOnPurpose,
		BeforeFirstStatistics,
		RuntimeServes,
		RuntimeStartedPod,
		NodeReadySince,
		RepeatedNotAgain,
		PodGone,
		PodSucceeded,
		EndedOnWellNode,
		EvictedBefore,
		PlacedSinceEviction,
		RuntimeAnswered,
		PodRecreated,
		PodPlaced,
		PodDeleted,
		PodRunsSince,
		PodReadySince,
		PodRuns,
		PodWorks,
		ClaimBound,
		WorkloadHasPods,

		// of both
		PodCameSince,

		// of statuses, in addition to those of finished pods
		DisruptedPodReady,
		LastStateOutlived,
	}
}
