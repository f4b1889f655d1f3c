/** A peer: its processes are run by the same supervisor as the product's, which reads and drops their log. */
import { join } from 'node:path'
import { freePort } from '@svc/local/free-port'
import { type Supervised, superviseProcess } from '@svc/local/processes/processes'
import type { Scene } from '../scene.ts'
import { copySeed } from '../seed.ts'
import type { PeerBus } from '../servers.ts'
import type { Contestant } from './contestant.ts'
import { httpContestant } from './http-contestant.ts'
import { type Peer, peersFolder } from './peers.ts'

/** Reports of processes that exited by themselves, and the first logged errors. */
const maxReports = 5

/** @param bus of those that use NATS */
export async function peerContestant(
  { name, usesNats, processes }: Peer,
  bus: PeerBus | undefined,
  scene: Scene,
): Promise<Contestant> {
  const databaseUrl = await copySeed(scene.servers, name)
  const port = await freePort()
  const running: Supervised[] = []
  const crashes: string[] = []
  const { NATS_URL, ...inherited } = process.env
  const env = {
    ...inherited,
    ...{ NODE_ENV: 'production', LOG_LEVEL: 'info', HOST: '127.0.0.1', PORT: String(port) },
    DATABASE_URL: databaseUrl,
    ...(usesNats && { NATS_URL: bus?.urlOf(name) }),
  }
  for (const { name, script, env: own } of processes) {
    let ready = false
    const start = () =>
      superviseProcess({
        name,
        script: join(peersFolder, script),
        env: { ...env, ...own },
        ready: async () => ready,
        restart: false,
        onLine: line => {
          if (!ready && line.startsWith(`${name} | ready`)) ready = true
          else if (line.startsWith(`${name} crashed: `)) crashes.push(line)
          else if (/"level":[56]0/.test(line) && crashes.length < maxReports) crashes.push(line)
        },
      })
    const supervised = await scene.cleanup.own(start, started => started.stop(5_000))
    running.push(supervised)
    await supervised.untilReady(60_000)
  }
  const pids = () =>
    Object.fromEntries(
      [...running, ...(usesNats && bus ? [{ name: 'nats', pid: bus.server.pid }] : [])].flatMap(
        ({ name, pid }) => (pid === undefined ? [] : [[name, pid]]),
      ),
    )
  return httpContestant({ name, databaseUrl, urls: [`http://127.0.0.1:${port}`], pids, crashes }, scene)
}
