import type { Limits } from './pool.ts'

export interface MachineDeployment {
  readonly metadata: {
    readonly resourceVersion?: string
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly spec?: { readonly replicas?: number }
  readonly status?: { readonly replicas?: number }
}

/**
 * The cluster-autoscaler scales objects with both annotations, and ignores those with none.
 * https://cluster-api.sigs.k8s.io/tasks/automated-machine-management/autoscaling
 */
export const minSize = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size'
export const maxSize = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size'

/** Machines that are starting or stopping count. */
export const machinesOf = ({ status }: MachineDeployment): number => status?.replicas ?? 0

/** A JSON merge patch (RFC 7396) of the differences to the desired state; undefined if there are none. */
export function patchFor(deployment: MachineDeployment, limits: Limits): object | undefined {
  const annotations = changedAnnotations(deployment, limits)
  const replicas = wantedReplicas(deployment, limits)
  const scaled = replicas !== (deployment.spec?.replicas ?? 1)
  if (!annotations && !scaled) return undefined
  const { resourceVersion } = deployment.metadata
  return {
    // Refused with 409 if someone else has changed it since: our decision may be outdated.
    metadata: { resourceVersion, ...(annotations && { annotations }) },
    ...(scaled && { spec: { replicas } }),
  }
}

function changedAnnotations({ metadata }: MachineDeployment, limits: Limits) {
  const active = limits.auto_scaling === 'active'
  const wanted = {
    [minSize]: active ? String(limits.min_machines) : null,
    [maxSize]: active ? String(limits.max_machines) : null,
  }
  const changed = Object.entries(wanted).filter(
    ([name, value]) => (metadata.annotations?.[name] ?? null) !== value,
  )
  return changed.length > 0 ? Object.fromEntries(changed) : undefined
}

/** The autoscaler keeps within its bounds, but does not move a pool back into them. */
function wantedReplicas({ spec }: MachineDeployment, limits: Limits): number {
  // The API server's default (machinedeployment_types.go).
  const replicas = spec?.replicas ?? 1
  const atLeast = limits.auto_scaling === 'active' ? limits.min_machines : 0
  return Math.min(Math.max(replicas, atLeast), limits.max_machines)
}
