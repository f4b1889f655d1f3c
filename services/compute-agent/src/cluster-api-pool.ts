import type { BusLog } from '@svc/bus/connection'
import { type KubeApi, KubeError } from './kube-api.ts'
import { type MachineDeployment, machinesOf, patchFor } from './machine-deployment.ts'
import type { Limits, Pool } from './pool.ts'
import { watchObject } from './watch-object.ts'

export interface ClusterApiPoolOptions {
  readonly api: KubeApi
  readonly namespace: string
  readonly name: string
  readonly version: string
  readonly log: BusLog
  readonly watchSeconds?: number
}

const fieldManager = 'svc-compute-agent'
/** Attempts, each after someone else changed it between our read and our write. */
const attempts = 5

/** @param options `api` reaches the management cluster of the MachineDeployment */
export function createClusterApiPool(options: ClusterApiPoolOptions): Pool {
  const { api, namespace, name, version, log, watchSeconds } = options
  const collection = `/apis/cluster.x-k8s.io/${version}/namespaces/${namespace}/machinedeployments`
  const path = `${collection}/${name}`
  const get = () => api.get<MachineDeployment>(path)
  return {
    read: async () => ({ machines: machinesOf(await get()) }),
    async apply(limits) {
      for (let attempt = 1; !(await applied(limits)); attempt++) {
        if (attempt === attempts) throw new Error('The MachineDeployment keeps being changed by others.')
      }
    },
    watch: onChange => watchObject({ api, collection, name, onChange, log, watchSeconds }),
  }

  async function applied(limits: Limits): Promise<boolean> {
    const body = patchFor(await get(), limits)
    if (!body) return true
    try {
      await api.patch(path, body, { fieldManager })
      log.info({ patch: body }, 'changed the MachineDeployment')
      return true
    } catch (error) {
      if (error instanceof KubeError && error.code === 409) return false
      throw error
    }
  }
}
