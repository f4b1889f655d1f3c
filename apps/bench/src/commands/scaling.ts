/** One to four replicas, each with the same quota of processor time, while everything else has plenty. */
import { repoRoot } from '@svc/local/repo-root'
import type { ProcessName } from '@svc/local/stack'
import { createCleanup } from '../cleanup.ts'
import { productContestant } from '../contestants/product-contestant.ts'
import { ownQuota } from '../load/cpu-quota.ts'
import { type Measured, measureWindow } from '../load/window.ts'
import type { Workload } from '../load/workloads.ts'
import { studyReport, windowLine } from '../report/report.ts'
import { groupBy } from '../report/table.ts'
import { costOf, curve, lineOf, type Step, targetsOf } from '../report/scaling.ts'
import { scalingChart } from '../report/scaling-chart.ts'
import { setScene } from '../scene.ts'
import { publish, type Surroundings } from './command.ts'
import { burnInSeconds } from './plan.ts'
import { burnIn } from './rounds.ts'

const maxReplicas = 4

interface Scaled {
  readonly name: string
  readonly services: readonly ProcessName[]
  /** The one of which they take the largest part. */
  readonly workload: Workload
}

const all: readonly Scaled[] = [
  { name: 'gateway', services: ['gateway'], workload: 'installs' },
  { name: 'offers', services: ['offers'], workload: 'product' },
  { name: 'auth-tokens', services: ['auth-tokens'], workload: 'tokens' },
  { name: 'compute', services: ['compute'], workload: 'settings' },
  { name: 'all', services: ['gateway', 'offers', 'auth-tokens'], workload: 'mix' },
]

/** The part of the machine that four replicas and all that they need may take: a busier one makes each instruction dearer. */
const usable = 0.5
const maxQuota = 0.15

export async function scaling(surroundings: Surroundings): Promise<void> {
  const { options, cleanup, say } = surroundings
  const { rounds, seconds, workloads } = options
  const each = options.connections?.[0] ?? 32
  const scene = await setScene(surroundings, each * maxReplicas)
  const { machine, seed, instruments } = scene
  const contestant = await productContestant('product', scene)
  const { stack } = contestant.product
  await burnIn([contestant], surroundings)

  const steps: Step[] = []
  for (const scaled of all) if (workloads.includes(scaled.workload)) await scale(scaled)
  const groups = groupBy(steps, ({ name }) => name)
  await publish(surroundings, {
    report: studyReport({
      title: `Scaling: replicas with a quota of processor time each, ${each} connections for each`,
      machine,
      sections: groups.map(curve),
      targets: groups.flatMap(targetsOf),
    }),
    json: { machine, connections: each, steps },
    images: { svg: scalingChart(groups.map(lineOf), machine) },
  })

  async function scale({ name, services, workload }: Scaled) {
    const urls = stack.gateways.map(({ url }) => url)
    const measure = async (replicas: number, length = seconds) => {
      const connections = each * replicas
      await instruments.server`checkpoint`
      const subject = { urls, seed, sql: contestant.sql, pids: contestant.product.pids }
      return measureWindow(subject, instruments, { workload, connections, seconds: length })
    }
    await contestant.reset()
    const quota = affordableQuota(services, await measure(maxReplicas))
    say(`${name}: ${workload}, ${(quota * 100).toFixed(1)} % of a core for each replica`)
    for (let round = 1; round <= rounds; round++) {
      const own = createCleanup()
      cleanup.add(() => own.run())
      for (const service of services)
        for (let more = 1; more < maxReplicas; more++) {
          const { url } = await stack.startReplica(service, repoRoot)
          if (url) urls.push(url)
        }
      await measure(maxReplicas, burnInSeconds)
      const quotas = services.flatMap(service =>
        stack.processes[service].map(({ pid = 0 }) => ownQuota(pid, own)),
      )
      for (let replicas = maxReplicas; replicas > 0; replicas--) {
        for (const one of quotas) one.set(quota)
        const measured = await measure(replicas)
        for (const one of quotas) one.set(undefined)
        steps.push({ ...measured, name, services, workload, replicas, round, quota })
        say(windowLine({ variant: `${name} × ${replicas}`, ...measured }))
        if (replicas === 1) continue
        if (services.includes('gateway')) urls.pop()
        for (const service of services) await stack.processes[service].pop()?.stop()
      }
      await own.run()
    }
  }

  /** Four replicas and all that they need have to fit on this machine. */
  function affordableQuota(
    services: readonly string[],
    { cpu_us, cpu_total_us = 0, measuring_us }: Measured,
  ) {
    const most = Math.max(...services.map(service => costOf(service, cpu_us)))
    const perRequest = cpu_total_us + costOf('', measuring_us)
    return Math.min(maxQuota, (usable * machine.cores * most) / perRequest / maxReplicas)
  }
}
