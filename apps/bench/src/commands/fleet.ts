/** Revocations and renewals with many lease holders (docs/people/leases.md), which are simulated in a process of their own. */
import { setTimeout as delay } from 'node:timers/promises'
import { leaseMs, waitMarginMs } from '@svc/contract/auth-tokens/leases'
import { startProduct } from '../contestants/product.ts'
import { createRevoker, type Revocation } from '../contestants/revoker.ts'
import { type Fleet, startFleet } from '../load/fleet.ts'
import { type Pids, startMeter } from '../load/meter.ts'
import { type CpuRow, fleetReport, fleetTargets, type SituationRow } from '../report/fleet-report.ts'
import { setScene } from '../scene.ts'
import { copySeed } from '../seed.ts'
import { connectTo } from '../servers.ts'
import { publish, type Surroundings } from './command.ts'

const perSecond = 3
const lengths = {
  full: { calmMs: 8000, oneByOne: 30, rateMs: 8000, slowMs: 4000, deadMs: 8000, rolloutMs: 30_000 },
  quick: { calmMs: 2000, oneByOne: 10, rateMs: 2000, slowMs: 1500, deadMs: 5000, rolloutMs: 3000 },
}
/** After a death every revocation waits until the leases have ended. */
const waitedMs = leaseMs + waitMarginMs

export async function fleet(surroundings: Surroundings): Promise<void> {
  const { options, cleanup, say } = surroundings
  const length = lengths[options.quick ? 'quick' : 'full']
  const { servers, seed, machine } = await setScene(surroundings, 1, { max_connections: '600' })
  const name = 'fleet'
  const sql = connectTo(await copySeed(servers, name), cleanup)
  const product = await startProduct(servers, cleanup, { name, replicas: { 'auth-tokens': 2 } })
  const holders = await cleanup.own(
    () => startFleet(product.stack.bus('gateway')),
    started => started.close(),
  )
  const revoker = createRevoker(product.urls[0] ?? '', seed)
  const cpu: CpuRow[] = []
  const situations: SituationRow[] = []

  const metered = async <T>(what: string, count: number, work: () => Promise<T>): Promise<T> => {
    const began = performance.now()
    const meter = startMeter({
      processes: product.pids() as Pids,
      trees: { postgres: servers.postgres.pid },
      measuring: { holders: holders.pid },
    })
    const done = await work()
    const ms = performance.now() - began
    const { cpu_us = {}, measuring_us = {}, others_share } = meter.lap()({ ms, requests: ms / 1000 })
    cpu.push({ holders: count, what, cpu_us, holders_us: measuring_us.holders, others_share })
    return done
  }
  const note = (count: number, situation: string, revocations: readonly Revocation[]) => {
    const took_ms = revocations.map(({ took_ms }) => took_ms)
    const failures = revocations.flatMap(({ failed = [] }) => failed)
    situations.push({ holders: count, situation, took_ms, failures })
    say(`  ${situation}: ${took_ms.length} revocations, at most ${Math.round(Math.max(...took_ms))} ms`)
    for (const failure of new Set(failures.map(text => text.replace(/tok_\w+/, '…').slice(0, 80))))
      say(`  ${failure}`)
  }
  const sayState = async () => {
    const { holders: all, valid, warnings, regrants } = await holders.state()
    const logged = Object.entries(warnings).map(([message, times]) => `, ${times} × "${message}"`)
    say(`  ${valid} of ${all} hold a lease; ${regrants} new grants${logged.join('')}`)
  }

  // Code that is compiled, and connections that are open, before anything counts.
  await revoker.oneByOne(20)
  await metered('nothing', 0, () => delay(length.calmMs))
  for (const count of options.sizes) {
    say(`${count} holders`)
    await holders.grow(count)
    await delay(1000)
    await sayState()
    await metered('renewals', count, () => delay(length.calmMs))
    note(count, 'all are well, one at a time', await revoker.oneByOne(length.oneByOne))
    await revoker.prepare(perSecond, length.rateMs)
    const atRate = () => revoker.atRate(perSecond, length.rateMs)
    note(count, `all are well, ${perSecond} a second`, await metered('revocations', count, atRate))
    await sayState()
    await whileSlow(holders, async () => {
      note(count, 'one acknowledges after 1 s', await revoker.atRate(perSecond, length.slowMs))
      await sayState()
    })
    const dead = Math.max(1, Math.round(count / 100))
    await revoker.prepare(perSecond, length.deadMs)
    await holders.kill(dead)
    const afterDeath = await revoker.atRate(perSecond, length.deadMs)
    const [during, later] = [true, false].map(soon =>
      afterDeath.filter(({ due_ms }) => due_ms < waitedMs === soon),
    ) as [Revocation[], Revocation[]]
    note(count, '1 % have died', during)
    note(count, '1 % have died, and their leases have ended', later)
    await holders.grow(count)
    await revoker.prepare(perSecond, length.rolloutMs)
    await holders.replaceAll(length.rolloutMs)
    note(count, 'all are replaced', await revoker.atRate(perSecond, length.rolloutMs))
    await holders.replaced()
    await sayState()
  }
  const [rows] = await sql`
    select n_tup_upd as updates, n_tup_hot_upd as hot, pg_table_size('auth_tokens.lease_holders') as bytes
    from pg_stat_user_tables where relname = 'lease_holders'`

  const targets = fleetTargets(situations, cpu)
  await publish(surroundings, {
    report: fleetReport({ machine, situations, cpu, targets, table: rows as never }),
    json: { machine, targets, situations, cpu, table: rows },
  })
}

async function whileSlow(holders: Fleet, work: () => Promise<void>) {
  await holders.slowDown()
  await work()
  await holders.recover()
}
