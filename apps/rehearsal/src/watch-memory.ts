/** The peak memory of each process, read while they run, so that it includes those that are killed. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { repoRoot } from '@svc/local/repo-root'
import type { Product } from './product.ts'
import { type ProcessHost, processHosts, programOf } from './product-hosts.ts'

export interface MemoryPeak {
  readonly host: ProcessHost
  /** Peak resident memory. */
  readonly mib: number
  /** What the deployment gives the container. */
  readonly limitMib: number
}

const everyMs = 250

/** Watches until `stop`, which returns each process's peak. */
export async function watchMemory({ processes }: Pick<Product, 'processes'>): Promise<{
  stop(): Promise<MemoryPeak[]>
}> {
  const limits = await Promise.all(processHosts.map(limitOf))
  const peaks = processHosts.map(() => 0)
  const look = () =>
    Promise.all(
      processHosts.map(async (host, index) => {
        const { pid } = processes[host]
        const status = pid === undefined ? '' : await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
        const mib = Number(status.match(/VmHWM:\s+(\d+)/)?.[1] ?? 0) / 1024
        peaks[index] = Math.max(peaks[index] ?? 0, mib)
      }),
    )
  let going = true
  const watching = (async () => {
    while (going) {
      await look()
      await delay(everyMs)
    }
  })()
  return {
    async stop() {
      going = false
      await watching
      await look()
      return processHosts.map((host, index) => ({
        host,
        mib: peaks[index] ?? 0,
        limitMib: limits[index] ?? 0,
      }))
    },
  }
}

/** @throws Error if deploy/kubernetes/base has no limit */
export async function limitOf(host: ProcessHost): Promise<number> {
  const program = programOf(host)
  const file = `deploy/kubernetes/base/${program === 'gateway' ? program : 'services'}.yaml`
  const documents = (await readFile(join(repoRoot, file), 'utf8')).split(/^---$/m)
  const deployment = documents.find(text =>
    text.includes(`kind: Deployment\nmetadata:\n  name: ${program}\n`),
  )
  const limit = deployment?.match(/limits: \{ memory: (\d+)Mi/)?.[1]
  if (limit === undefined) throw new Error(`${file} has no limit of memory in Mi for ${program}.`)
  return Number(limit)
}
