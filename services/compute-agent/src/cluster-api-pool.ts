import {
  CustomObjectsApi,
  type KubeConfig,
  Observable,
  type ObservableMiddleware,
  PatchStrategy,
  setHeaderOptions,
} from '@kubernetes/client-node'
import type { BusLog } from '@svc/bus/connection'
import { type MachineDeployment, machinesOf, patchFor } from './machine-deployment.ts'
import type { Limits, Pool } from './pool.ts'
import { watchObject } from './watch-object.ts'

export interface ClusterApiPoolOptions {
  readonly kube: KubeConfig
  readonly namespace: string
  /** Of the MachineDeployment. */
  readonly name: string
  /** Of the API `cluster.x-k8s.io`. */
  readonly version: string
  readonly log: BusLog
  readonly watchSeconds?: number
}

const group = 'cluster.x-k8s.io'
const plural = 'machinedeployments'
const fieldManager = 'svc-compute-agent'
const requestMs = 10_000
/** Attempts, each after someone else changed it between our read and our write. */
const attempts = 5

/** The machines of a MachineDeployment, in the management cluster that `kube` reaches. */
export function createClusterApiPool(options: ClusterApiPoolOptions): Pool {
  const { kube, namespace, name, version, log, watchSeconds } = options
  const api = kube.makeApiClient(CustomObjectsApi)
  const collection = { group, version, namespace, plural }
  const get = (): Promise<MachineDeployment> =>
    api.getNamespacedCustomObject({ ...collection, name }, bounded)
  return {
    read: async () => ({ machines: machinesOf(await get()) }),
    async apply(limits) {
      for (let attempt = 1; !(await applied(limits)); attempt++) {
        if (attempt === attempts) throw new Error('The MachineDeployment keeps being changed by others.')
      }
    },
    watch: onChange =>
      watchObject({
        kube,
        path: `/apis/${group}/${version}/namespaces/${namespace}/${plural}`,
        name,
        list,
        onChange,
        log,
        watchSeconds,
      }),
  }

  async function list(): Promise<string | undefined> {
    const fieldSelector = `metadata.name=${name}`
    const { metadata } = await api.listNamespacedCustomObject({ ...collection, fieldSelector }, bounded)
    return metadata?.resourceVersion
  }

  /** Whether it was changed; false if someone else was faster. */
  async function applied(limits: Limits): Promise<boolean> {
    const body = patchFor(await get(), limits)
    if (!body) return true
    try {
      await api.patchNamespacedCustomObject({ ...collection, name, body, fieldManager }, asMergePatch)
      log.info({ patch: body }, 'changed the MachineDeployment')
      return true
    } catch (error) {
      if ((error as { code?: number }).code === 409) return false
      throw error
    }
  }
}

/** The client itself waits without end. */
const timeout: ObservableMiddleware = {
  pre(request) {
    request.setSignal(AbortSignal.timeout(requestMs))
    return new Observable(Promise.resolve(request))
  },
  post: response => new Observable(Promise.resolve(response)),
}
const bounded = { middleware: [timeout], middlewareMergeStrategy: 'append' as const }
// Without it the client would send a JSON patch (RFC 6902).
const asMergePatch = setHeaderOptions('Content-Type', PatchStrategy.MergePatch, bounded)
