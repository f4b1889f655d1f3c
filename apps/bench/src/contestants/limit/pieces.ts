/** The pieces that a request cannot do without, each bare and by itself: HTTP, the bus, the statement. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Child, startChild } from '../../load/child.ts'
import type { Mark } from '../../load/load.ts'
import { type Metered, startMeter } from '../../load/meter.ts'
import { checkRows, countRows } from '../../load/row-check.ts'
import { type Measured, ratesOf, untilIdle, warmUpMs, type WindowPlan } from '../../load/window.ts'
import type { Workload } from '../../load/workloads.ts'
import type { Scene } from '../../scene.ts'
import { copySeed, resetOffers } from '../../seed.ts'
import { connectTo, startPeerBus, urlOfDatabase } from '../../servers.ts'
import { bareBus, bareHttp, bareStatement, type Contestant } from '../contestant.ts'
import type { Captured } from './capture.ts'

export type CapturedByWorkload = Readonly<Partial<Record<Workload, Captured>>>

/** The process that calls a piece. */
interface Driver {
  start(order: object): Promise<void>
  mark(): Promise<Mark>
}

export async function bareHttpContestant(scene: Scene, captured: CapturedByWorkload): Promise<Contestant> {
  const server = await startPiece('http-echo-process', scene)
  const url = await server.ask<string>('listen')
  const { generator } = scene.instruments
  return {
    name: bareHttp,
    reset: async () => {},
    async measure(plan) {
      await server.ask('answer', captured[plan.workload]?.answer)
      const order = { ...plan, urls: [url], seed: scene.seed }
      const metered = {
        processes: { fastify: server.pid },
        measuring: { 'load generator': generator.pid },
      }
      const measured = await measureDriven(generator, order, metered, plan)
      await generator.stop()
      return measured
    },
  }
}

export async function bareBusContestant(scene: Scene, captured: CapturedByWorkload): Promise<Contestant> {
  const bus = await startPeerBus(scene.cleanup, scene.servers.folder, [bareBus])
  const url = bus.urlOf(bareBus)
  const replier = await startPiece('bus-replier-process', scene)
  const requester = await startPiece('bus-requester-process', scene)
  await replier.ask('listen', url)
  return {
    name: bareBus,
    reset: async () => {},
    async measure(plan) {
      const { request, reply } = captured[plan.workload] ?? {}
      await replier.ask('answer', reply)
      const processes = { requester: requester.pid, replier: replier.pid, nats: bus.server.pid as number }
      const measured = await measureDriven(
        driverOf(requester),
        { ...plan, url, request },
        { processes },
        plan,
      )
      await requester.ask('stop')
      return measured
    },
  }
}

export async function bareStatementContestant(
  scene: Scene,
  captured: CapturedByWorkload,
  serviceUrl: string,
): Promise<Contestant> {
  const { servers, seed, cleanup, instruments } = scene
  const sql = connectTo(await copySeed(servers, bareStatement), cleanup)
  const url = urlOfDatabase(serviceUrl, bareStatement)
  const piece = await startPiece('statement-process', scene)
  return {
    name: bareStatement,
    async reset() {
      await resetOffers(sql, seed)
      await sql`truncate offers.outbox`
    },
    async measure(plan) {
      const before = await countRows(sql)
      const metered = { processes: { client: piece.pid }, trees: { postgres: instruments.postgresPid } }
      const order = { ...plan, url, ...captured[plan.workload]?.statement }
      const measured = await measureDriven(driverOf(piece), order, metered, plan)
      const done = await piece.ask<number>('stop')
      await untilIdle(instruments.server)
      return { ...measured, ...checkRows(before, await countRows(sql), { [plan.workload]: done }) }
    },
  }
}

const startPiece = (script: string, { cleanup }: Scene): Promise<Child> =>
  cleanup.own(
    () => startChild(`limit/${script}`),
    started => started.close(),
  )

const driverOf = (piece: Child): Driver => ({
  start: order => piece.ask('start', order),
  mark: () => piece.ask('mark'),
})

async function measureDriven(
  { start, mark }: Driver,
  order: object,
  metered: Metered,
  { seconds }: WindowPlan,
): Promise<Measured> {
  await start(order)
  await delay(warmUpMs)
  await mark()
  const meter = startMeter(metered)
  await delay(seconds * 1000)
  const marked = await mark()
  return { ...ratesOf(marked), ...meter.lap()(marked) }
}
