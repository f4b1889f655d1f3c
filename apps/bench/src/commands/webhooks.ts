/** The product while offers are made, without webhooks, with endpoints that are told of each, and with those beside an abuser's, in turns. */
import postgres from 'postgres'
import type { Surroundings } from './compare.ts'
import { postgresSettings } from '../contestants/field.ts'
import { productContestant } from '../contestants/product-contestant.ts'
import { abused } from '../contestants/contestant.ts'
import { steadyConnections } from '../contestants/steady-load.ts'
import { webhookAbuser } from '../contestants/webhook-abuser.ts'
import { endpoints, offersPerSecond, webhookContestants } from '../contestants/webhooks.ts'
import { openResults } from '../files.ts'
import { startReceiver } from '../load/receiver.ts'
import { describeMachine, machineLine } from '../machine.ts'
import type { Options } from '../options.ts'
import { createProgress } from '../progress.ts'
import { sideBySide } from '../report/report.ts'
import { summarise, type WindowRecord } from '../report/summary.ts'
import { arrivedTable, costLine } from '../report/webhooks.ts'
import { setScene } from '../scene.ts'
import { urlOfDatabase } from '../servers.ts'
import { burnIn, estimatesOf, runRounds } from './rounds.ts'
import { turnsOf } from './schedule.ts'

const name = 'webhooks'
/** The first is an open loop, the second sends as fast as it can. */
const cells = [steadyConnections, 32].map(connections => ({ workload: 'product' as const, connections }))

export async function webhooks(options: Options, { cleanup, say, print }: Surroundings): Promise<void> {
  const { rounds, seconds } = options
  say('  … PostgreSQL, the seed and the product')
  const scene = await setScene(cleanup, steadyConnections, postgresSettings)
  const { seed, servers } = scene
  const receiver = await cleanup.own(startReceiver, started => started.close())
  const abuser = await cleanup.own(startReceiver, started => started.close())
  const instruments = { ...scene.instruments, others: { receiver: receiver.pid, abuser: abuser.pid } }
  const { product, contestant } = await productContestant(
    { name, label: 'the product', seed, withTests: true },
    { ...scene, instruments },
  )
  const machine = await describeMachine(servers, product.stack.nats?.port)
  const sql = postgres(urlOfDatabase(servers.postgres.url, name), { max: 1, onnotice: () => {} })
  cleanup.add(() => sql.end({ timeout: 1 }))
  await burnIn([contestant], text => say(`  … ${text}`))
  const { contestants, arrived } = await webhookContestants({
    product: contestant,
    url: product.stack.gateways[0]?.url ?? '',
    sql,
    receiver,
    startAbuse: await webhookAbuser(product, abuser, cleanup),
    seed,
    openLoop: connections =>
      connections === steadyConnections ? { per_second: offersPerSecond, tokens: [seed.token] } : undefined,
  })
  const plan = cells.map(cell => ({
    cell,
    // Beside as much as there can be, the abuser's share is less than it asks for.
    turns: turnsOf(
      cell,
      contestants.filter(({ name }) => name !== abused || cell.connections === steadyConnections),
      rounds,
    ),
  }))
  const windows: WindowRecord[] = []
  await runRounds({
    plan,
    seconds,
    instruments,
    progress: createProgress(estimatesOf(plan, seconds), say),
    onWindow: window => void windows.push(window),
  })

  const medians = summarise(windows)
  const report = [
    `# Webhooks: POST /offers, and ${endpoints} endpoints that are told of each, alone and beside 400 that do not answer\n\n${machineLine(machine)}`,
    `${steadyConnections} connections: ${offersPerSecond} offers a second. 32: as many as there can be.`,
    sideBySide(medians),
    arrivedTable(arrived),
    costLine(medians, { connections: steadyConnections, endpoints }),
  ].join('\n\n')
  print(report)
  const results = await openResults(options.out, name)
  const json = JSON.stringify({ machine, medians, arrived, windows }, null, 1)
  print(`\n${await results.write('json', `${json}\n`)}\n${await results.write('md', `${report}\n`)}`)
}
