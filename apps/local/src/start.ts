import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createCall } from '@svc/bus/call'
import { type BusConfig, connectBus } from '@svc/bus/connection'
import { processConfig } from '@svc/runtime/config'
import { newAgentSecrets } from './agent-secrets.ts'
import { removeBusFile, writeBusFile } from './bus-file.ts'
import { type DataDirLock, lockDataDir } from './data-dir-lock.ts'
import { portInUse } from './free-port.ts'
import { patient } from './patient-call.ts'
import { invitation } from './invitation.ts'
import { hasCode } from './private-file.ts'
import { readyOffer } from './ready-offer.ts'
import { repoRoot } from './repo-root.ts'
import { type Stack, startStack } from './stack.ts'
import { describe, waitUntil } from './wait-until.ts'

export type SeedInput = {
  stack: { bus(user: 'backoffice'): BusConfig }
  dataDir: string
  baseUrl: string
}

export type Demo = {
  base_url: string
  api_token: string
  product_id: string
  offer_channel_id: string
  owner: { email: string }
  stranger: { email: string }
  workspace_id: string
  cluster_id: string
  other_workspace_id: string
  other_cluster_id: string
}

export type StartOptions = {
  /** Creates the demo workspace once and writes `<dataDir>/dev.json`; finds it at later starts. */
  seedDemo: (input: SeedInput) => Promise<Demo>
  env?: NodeJS.ProcessEnv
}

// npm passes on a Ctrl-C that the terminal has already sent to every process: a signal within this time is the same
// one.
const SAME_CTRL_C_MS = 700

/**
 * `npm start`: everything on this machine, until SIGINT or SIGTERM. Resolves to the exit status when everything it
 * started has ended. Reads PORT, HOST, SVC_DATA_DIR, DATABASE_URL, NATS_URL, LOG_LEVEL, MAIL_URL and MAIL_FROM.
 */
export async function start({ seedDemo, env = process.env }: StartOptions): Promise<number> {
  const began = Date.now()
  const stopRequest = listenForStop()
  let lock: DataDirLock | undefined
  let stack: Stack | undefined
  let wroteBusFile: string | undefined
  let hasStarted = false
  try {
    const { port, host, dataDir, logLevel } = settings(env)
    await writableFolder(dataDir)
    lock = await lockDataDir(dataDir)
    await portIsFree(port, host, lock.tookOver)
    stack = await startStack({
      dataDir,
      ports: { gateway: port },
      host,
      databaseUrl: env.DATABASE_URL || undefined,
      natsUrl: env.NATS_URL || undefined,
      restart: true,
      // Without a mail server messages are written to the log, including their links.
      env: { LOG_LEVEL: logLevel, MAIL_URL: env.MAIL_URL || 'log:', MAIL_FROM: env.MAIL_FROM ?? '' },
      onProgress: showStep,
      onLine: line => {
        // The demo's people are invited while it is created, and nobody has to read that mail.
        if (hasStarted || !isDemoMail(line)) process.stdout.write(`${line}\n`)
      },
      signal: stopRequest.signal,
    })
    const { kill } = stack
    stopRequest.onSecond(kill)
    await writeBusFile(dataDir, stack.bus('backoffice'))
    wroteBusFile = dataDir
    const baseUrl = `${stack.gateways[0]?.url}/v1`
    const seedBegan = Date.now()
    showStep('demo workspace')
    const demo = await seedDemo({ stack, dataDir, baseUrl })
    showStep('demo workspace', Date.now() - seedBegan)
    const agentBegan = Date.now()
    showStep('agent of the demo clusters, with simulated machines')
    const agent = await stack.startAgent(await agentSecrets(stack, demo))
    showStep('agent of the demo clusters, with simulated machines', Date.now() - agentBegan)
    const devFile = join(dataDir, 'dev.json')
    const offer = await offerOf(demo, stopRequest.signal)
    hasStarted = true
    process.stdout.write(invitation({ demo, devFile, offer, tookMs: Date.now() - began }))
    process.stdout.write(metricsOf({ ...stack.processes, 'compute-agent': [agent] }))
    process.stdout.write('\nCtrl-C drains and stops everything.\n')
    await stopRequest.asked
    say('Draining and stopping (Ctrl-C again: at once) …')
    return 0
  } catch (error) {
    // Stopped during the start: nothing has failed.
    if (stopRequest.signal.aborted) return 0
    say(`\nsvc cannot start: ${describe(error)}`)
    return 1
  } finally {
    if (wroteBusFile) await removeBusFile(wroteBusFile)
    await stack?.stop()
    await lock?.release()
    if (stack) say('Stopped.')
  }
}

/** A message that `MAIL_URL=log:` writes to the log, for one of the demo's people. */
const isDemoMail = (line: string): boolean => line.includes('@demo.example","subject":')

async function agentSecrets(stack: Stack, demo: Demo): Promise<Record<string, string>> {
  const bus = await connectBus(stack.bus('backoffice'), { info() {}, warn() {}, error() {} })
  try {
    return await newAgentSecrets(patient(createCall(bus)), [
      { id: demo.cluster_id, workspace: demo.workspace_id },
      { id: demo.other_cluster_id, workspace: demo.other_workspace_id },
    ])
  } finally {
    await bus.close()
  }
}

function settings(env: NodeJS.ProcessEnv) {
  const port = Number(env.PORT || 8080)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`PORT is "${env.PORT}", which is not a port. Set it to a number from 1 to 65535.`)
  }
  const logLevel = env.LOG_LEVEL || 'warn'
  const levels = processConfig.LOG_LEVEL.unwrap().options
  if (!levels.some(level => level === logLevel)) {
    throw new Error(`LOG_LEVEL is "${logLevel}". Set it to one of ${levels.join(', ')}.`)
  }
  return {
    port,
    host: env.HOST || '127.0.0.1',
    dataDir: env.SVC_DATA_DIR ? resolve(env.SVC_DATA_DIR) : join(repoRoot, '.svc'),
    logLevel,
  }
}

async function writableFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true })
  } catch (error) {
    throw new Error(
      `The data folder ${dataDir} cannot be created: ${describe(error)}. Set SVC_DATA_DIR to another one.`,
    )
  }
}

async function portIsFree(port: number, host: string, afterCrash: boolean): Promise<void> {
  const next = port < 65_535 ? port + 1 : 8080
  const taken = `PORT ${port} is in use. Stop whatever listens there, or pick another: PORT=${next} npm start`
  const free = async () => {
    try {
      return !(await portInUse(port, host))
    } catch (error) {
      if (hasCode(error, 'EACCES'))
        throw new Error(`PORT ${port} needs elevated rights. Pick one above 1023: PORT=8080 npm start`)
      throw new Error(
        `The gateway cannot listen on ${host} port ${port}: ${describe(error)}. Set HOST and PORT.`,
      )
    }
  }
  if (await free()) return
  if (!afterCrash) throw new Error(taken)
  // The processes of an earlier start that was killed may still be finishing their requests.
  await waitUntil(taken, free, { timeoutMs: 20_000, everyMs: 100 }).catch(() => {
    throw new Error(taken)
  })
}

function listenForStop() {
  const request = new AbortController()
  let askedAt = 0
  let atOnce: (() => Promise<void>) | undefined
  const onSignal = async (signal: NodeJS.Signals) => {
    if (askedAt === 0) {
      askedAt = Date.now()
      return request.abort()
    }
    if (signal !== 'SIGINT' || Date.now() - askedAt < SAME_CTRL_C_MS) return
    await Promise.race([atOnce?.(), delay(5_000)])
    process.exit(130)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  // A closed pipe (`npm start | head`) must not leave the servers behind.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  return {
    signal: request.signal,
    asked: new Promise<void>(done => request.signal.addEventListener('abort', () => done())),
    onSecond(action: () => Promise<void>) {
      atOnce = action
    },
  }
}

function showStep(step: string, ms?: number): void {
  say(ms === undefined ? `  … ${step}` : `  ✓ ${step} (${seconds(ms)})`)
}

async function offerOf(demo: Demo, stop: AbortSignal) {
  try {
    return { link: await readyOffer(demo, AbortSignal.any([stop, AbortSignal.timeout(10_000)])) }
  } catch (error) {
    stop.throwIfAborted()
    return { missing: describe(error) }
  }
}

function metricsOf(processes: Record<string, readonly { readonly healthUrl: string }[]>): string {
  const urls = Object.entries(processes).flatMap(([name, each]) =>
    each.map(({ healthUrl }) => `  ${name} ${healthUrl}/metrics\n`),
  )
  return `\nMetrics:\n${urls.join('')}`
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
