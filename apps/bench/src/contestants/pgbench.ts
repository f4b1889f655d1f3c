/** The floor of the database: the same insert as one statement, by PostgreSQL's own load generator. */
import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describeExit, spawnOwnProcess } from '@svc/local/processes/own-process'
import { systemEnv } from '@svc/local/processes/system-env'
import { createRecorder } from '../load/load.ts'
import { startMeter } from '../load/meter.ts'
import { checkRows, countRows } from '../load/row-check.ts'
import { ratesOf, untilIdle, warmUpMs } from '../load/window.ts'
import type { Scene } from '../scene.ts'
import { copySeed, resetOffers } from '../seed.ts'
import { connectTo } from '../servers.ts'
import { type Contestant, pgbenchName } from './contestant.ts'
import { peersFolder } from './peers.ts'

/** Whether it is on PATH. */
export const hasPgbench = (): boolean => spawnSync('pgbench', ['--version']).status === 0

/** The statement. */
const script = join(peersFolder, 'floors/offer.sql')
/** Longer than the window, so that it does not end first. */
const spareSeconds = 1

export async function pgbenchContestant({
  servers,
  seed,
  instruments: { postgresPid, server },
  cleanup,
}: Scene): Promise<Contestant> {
  const databaseUrl = await copySeed(servers, pgbenchName)
  const sql = connectTo(databaseUrl, cleanup)

  return {
    name: pgbenchName,
    reset: () => resetOffers(sql, seed),
    async measure({ connections, seconds }) {
      const before = await countRows(sql)
      const logs = await mkdtemp(join(servers.folder, 'pgbench-'))
      await chmod(logs, 0o700)
      const run = await spawnPgbench({ connections, seconds, logs })
      run.exited.then(cleanup.add(() => run.stop(['SIGTERM', 1_000])))
      await untilConnected(connections, run.running)
      await delay(warmUpMs)
      const meter = startMeter({
        processes: {},
        trees: { postgres: postgresPid },
        measuring: { 'load generator': run.pid },
      })
      const from = Date.now()
      await delay(seconds * 1000)
      const to = Date.now()
      const useOf = meter.lap()
      const exit = await run.exited
      if (exit.code !== 0) throw new Error(`pgbench: ${describeExit(exit)}\n${run.tail().join('\n')}`)
      const mark = await readLog(logs, from, to)
      await rm(logs, { recursive: true })
      await untilIdle(server)
      const done = Number(
        run
          .tail()
          .join('\n')
          .match(/actually processed: (\d+)/)?.[1],
      )
      return {
        ...ratesOf(mark),
        ...useOf(mark),
        ...checkRows(before, await countRows(sql), { product: done }),
      }
    },
  }

  async function spawnPgbench(options: { connections: number; seconds: number; logs: string }) {
    const { connections, seconds, logs } = options
    const { hostname, port, username, password, pathname } = new URL(databaseUrl)
    const { workspace_id, product_id, package_version_id } = seed
    return spawnOwnProcess(
      'pgbench',
      [
        ...['-n', '-M', 'prepared', '-c', String(connections), '-j', String(Math.min(2, connections))],
        ...['-T', String(Math.ceil(warmUpMs / 1000 + seconds + spareSeconds))],
        ...['-l', '--log-prefix', join(logs, 'log'), '-f', script],
        ...['-D', `workspace_id=${workspace_id}`, '-D', `product_id=${product_id}`],
        ...['-D', `package_version_id=${package_version_id}`],
      ],
      {
        cwd: '/',
        env: systemEnv({
          PGHOST: hostname,
          PGPORT: port,
          PGUSER: username,
          PGPASSWORD: decodeURIComponent(password),
          PGDATABASE: pathname.slice(1),
        }),
      },
    )
  }

  async function untilConnected(connections: number, running: () => boolean) {
    for (const deadline = Date.now() + 30_000; running() && Date.now() < deadline; await delay(20)) {
      const [row] = await server`
        select count(*)::int as connected from pg_stat_activity where application_name = 'pgbench'`
      if (row?.connected >= connections) return
    }
  }
}

/** The transactions that ended between `from` and `to` (Unix ms), from the log's lines: client, number, µs, file, s, µs. */
async function readLog(folder: string, from: number, to: number) {
  const { record, mark } = createRecorder()
  for (const name of await readdir(folder)) {
    for (const line of (await readFile(join(folder, name), 'utf8')).split('\n')) {
      const [, , took = 0, , seconds = 0, micros = 0] = line.split(' ').map(Number)
      const at = seconds * 1000 + micros / 1000
      if (at >= from && at < to) record(took / 1000)
    }
  }
  return { ...mark(), ms: to - from }
}
