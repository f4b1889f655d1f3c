/** Runs on the host of the clients: starts the product on the others, makes it fail under load, and prints the table. */
import { setMaxListeners } from 'node:events'
import { createWriteStream } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { seedDemo } from '@svc/local/seed-demo'
import { describe } from '@svc/local/wait-until'
import { audit } from './audit.ts'
import { auditEvents } from './audit-events.ts'
import { type Balancer, startBalancer } from './balancer.ts'
import { openNetwork } from './hosts.ts'
import { journalEnd, openJournal } from './journal.ts'
import { type Fault, measure } from './measure.ts'
import { type Options, readOptions, stepNames } from './options.ts'
import { gatewayUrl, type Product, readyUrl, startProduct, unlessAborted } from './product.ts'
import { gatewayHosts, hostNames } from './product-hosts.ts'
import { type StepResult, report, writeReport } from './report.ts'
import type { Part, Step } from './step.ts'
import { steps } from './steps.ts'
import { startTraffic } from './traffic.ts'
import { watchMemory } from './watch-memory.ts'
import { auditWebhooks, receiveWebhooks, type Webhooks } from './webhooks.ts'

const settleMs = 1500
const calmMs = 1500
const editorsCount = 15
/** A silent gateway still gets connections until a readiness check fails. */
const stillReadyMs = 1000

const stopping = new AbortController()
// One for each step.
setMaxListeners(0, stopping.signal)
for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) {
  process.on(event, () => stopping.abort(new Error('stopped')))
}
const say = (text: string) => void process.stderr.write(`  … ${text}\n`)
process.exit(await rehearse(readOptions(process.argv.slice(2))))

async function rehearse(options: Options): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-rehearsal-'))
  // PostgreSQL runs as another user, which needs access to this folder.
  await chmod(folder, 0o711)
  const log = options.log === undefined ? undefined : createWriteStream(options.log)
  const lines: string[] = []
  const onLine = (line: string) => {
    log?.write(`${new Date().toISOString()} ${line}\n`)
    if (/^(gateway|offers|auth-tokens|compute|activity)/.test(line)) lines.push(line)
  }
  const network = openNetwork(hostNames, Number(process.env.REHEARSAL_OWNER))
  let product: Product | undefined
  let balancer: Balancer | undefined
  let webhooks: Webhooks | undefined
  try {
    say(`${hostNames.length} hosts; starting the product on them`)
    product = await startProduct(network, folder, onLine, stopping.signal)
    say('the product is up')
    const baseUrl = `${gatewayUrl(network, 'gateway-1')}/v1`
    const dev = await unlessStopped(seedDemo({ stack: product, dataDir: folder, baseUrl }))
    balancer = startBalancer(
      gatewayHosts.map(name => ({ name, url: gatewayUrl(network, name), readyUrl: readyUrl(network, name) })),
    )
    const clusters = await unlessStopped(makeClusters(balancer, dev.owner.session_token, dev.workspace_id))
    await openJournal(product.sql)
    webhooks = await unlessStopped(receiveWebhooks(network, balancer, dev))
    const outcomes: StepResult[] = []
    for (const name of stepNames) {
      if (options.only.length > 0 && !options.only.includes(name)) continue
      stopping.signal.throwIfAborted()
      const scene = { product, balancer, dev, clusters, lines }
      outcomes.push(await unlessStopped(perform(steps[name], scene, options)))
    }
    const events = await unlessStopped(auditEvents(product))
    const delivered = await unlessStopped(auditWebhooks(product, webhooks))
    for (const { wrong, text } of [events, delivered]) if (wrong > 0) say(`NOT PASSED: ${text}`)
    const text = await report(outcomes, `${events.text} ${delivered.text}`, options, product)
    process.stdout.write(`\n${text}\n`)
    if (options.write !== undefined) await writeReport(options.write, text)
    return events.wrong + delivered.wrong === 0 && outcomes.every(({ problems }) => problems.length === 0)
      ? 0
      : 1
  } catch (error) {
    if (!stopping.signal.aborted) process.stderr.write(`The rehearsal failed: ${describe(error)}\n`)
    return 1
  } finally {
    say('stopping')
    webhooks?.stop()
    await balancer?.stop()
    await product?.stop()
    log?.end()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Setting {
  readonly product: Product
  readonly balancer: Balancer
  readonly dev: Awaited<ReturnType<typeof seedDemo>>
  readonly clusters: readonly string[]
  readonly lines: string[]
}

async function perform(step: Step, setting: Setting, { quick, connections }: Options): Promise<StepResult> {
  const { product, balancer, dev, clusters, lines } = setting
  say(step.title)
  const before = lines.length
  const since = await journalEnd(product.sql)
  const memory = await watchMemory(product)
  const faults: (Fault & Part)[] = []
  const traffic = startTraffic({ balancer, dev, clusters, connections })
  const broken: string[] = []
  await delay(settleMs)
  const fault = (what: string, part: Part = {}) => {
    const at = performance.now()
    const fault = { what, at, doneAt: at, overAt: Number.POSITIVE_INFINITY, ...part }
    faults.push(fault)
    return {
      done() {
        fault.doneAt = performance.now()
      },
      over() {
        fault.overAt = performance.now()
      },
    }
  }
  try {
    await step.run({ product, balancer, quick, fault, say })
  } catch (error) {
    broken.push(describe(error))
  }
  await delay(calmMs)
  await traffic.stop()
  const figures = measure(
    traffic.exchanges,
    faults.map(({ silent, ...fault }) => ({
      ...fault,
      ...(silent && {
        connections: balancer.connectionsTo(fault.gateway ?? '', fault.at, fault.at + stillReadyMs),
      }),
    })),
  )
  const accounts = await audit(product.sql, traffic, balancer, dev, since)
  const peaks = await memory.stop()
  const uncaught = lines.slice(before).filter(line => /uncaught|"level":60/.test(line))
  const exits = lines.slice(before).filter(line => /^\S+ crashed/.test(line))
  const killed = step.row === '1' ? faults.length : 0
  const problems = [
    ...broken,
    ...step.problems(figures),
    ...wrong('acknowledged writes lost', accounts.lost),
    ...wrong('duplicates', accounts.duplicated),
    ...wrong('half-writes', accounts.halfWritten),
    ...wrong('retries that did not give the original', accounts.wrongRetries),
    ...accounts.late.map(
      ({ kind, afterMs }) =>
        `executed after the deadline: ${kind}, ${Math.round(afterMs)} ms after it was sent`,
    ),
    ...wrong('answers without a documented body', figures.undocumented),
    ...wrong('hung calls', figures.hung),
    ...wrong('uncaught exceptions', uncaught.length),
    ...wrong('processes that ended by themselves', Math.max(0, exits.length - killed)),
    ...peaks
      .filter(({ mib, limitMib }) => mib > limitMib)
      .map(({ host, mib, limitMib }) => `${host} had ${Math.round(mib)} MiB, its limit is ${limitMib} MiB`),
  ]
  for (const problem of problems) say(`NOT PASSED: ${problem}`)
  return { step, figures, accounts, uncaught: uncaught.length, peaks, problems }
}

function wrong(what: string, count: number): string[] {
  return count > 0 ? [`${what}: ${count}`] : []
}

function unlessStopped<T>(pending: Promise<T>): Promise<T> {
  return unlessAborted(pending, stopping.signal)
}

/** One for each client that edits settings. */
async function makeClusters(balancer: Balancer, session: string, workspace: string): Promise<string[]> {
  const connection = balancer.connection()
  const ids: string[] = []
  for (let index = 0; index < editorsCount; index++) {
    const answer = await connection.send({
      method: 'POST',
      path: '/v1/clusters',
      headers: {
        authorization: `Bearer ${session}`,
        'svc-context': workspace,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ name: `rehearsal ${index}` }),
    })
    if (answer.status !== 201) throw new Error(`A cluster cannot be made: ${answer.status} ${answer.body}`)
    ids.push(JSON.parse(answer.body).id)
  }
  connection.close()
  return ids
}
