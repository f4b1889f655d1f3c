/** The processes of a peer, run by the same supervisor as the product's, which reads and drops their log. */
import { join } from 'node:path'
import { freePort } from '@svc/local/free-port'
import { type Supervised, superviseProcess } from '@svc/local/processes/processes'
import type { Cleanup } from '../cleanup.ts'
import type { Peer } from './variants.ts'

export interface PeerEnvironment {
  /** The folder of variants.json, to which the scripts are relative. */
  readonly folder: string
  /** The administrator's URL of the peer's own database. */
  readonly databaseUrl: string
  readonly natsUrl: string | undefined
}

export interface RunningPeer {
  readonly url: string
  pids(): Record<string, number>
  /** Reports of processes that exited by themselves, and the first logged errors. */
  readonly crashes: string[]
}

const maxReports = 5

export async function startPeer(
  peer: Peer,
  environment: PeerEnvironment,
  cleanup: Cleanup,
): Promise<RunningPeer> {
  const port = await freePort()
  const running: Supervised[] = []
  const crashes: string[] = []
  for (const { name, script, env } of peer.processes) {
    let ready = false
    const start = () =>
      superviseProcess({
        name,
        script: join(environment.folder, script),
        env: {
          ...inherited(),
          NODE_ENV: 'production',
          LOG_LEVEL: 'info',
          HOST: '127.0.0.1',
          PORT: String(port),
          DATABASE_URL: environment.databaseUrl,
          ...(environment.natsUrl !== undefined && { NATS_URL: environment.natsUrl }),
          ...env,
        },
        ready: async () => ready,
        restart: false,
        onLine: line => {
          if (!ready && line.startsWith(`${name} | ready`)) ready = true
          else if (line.startsWith(`${name} crashed: `)) crashes.push(line)
          else if (/"level":[56]0/.test(line) && crashes.length < maxReports) crashes.push(line)
        },
      })
    const supervised = await cleanup.own(start, started => started.stop(5_000))
    running.push(supervised)
    await supervised.untilReady(60_000)
  }
  return {
    url: `http://127.0.0.1:${port}`,
    crashes,
    pids: () =>
      Object.fromEntries(running.flatMap(({ name, pid }) => (pid === undefined ? [] : [[name, pid]]))),
  }
}

/** This process's environment without what is meant for other programs. */
function inherited(): NodeJS.ProcessEnv {
  const { DATABASE_URL, NATS_URL, PORT, HOST, LOG_LEVEL, ...rest } = process.env
  return rest
}
