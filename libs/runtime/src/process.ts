import { type RequestListener, createServer } from 'node:http'
import { scaled } from '@svc/contract/core/deadline-scale'
import type { Metrics } from '@svc/telemetry/metrics'
import { ConfigError } from './config.ts'
import { type Log, describeError } from './log.ts'

/** How long the last lines of the log may take if nobody reads them. */
const flushMs = 2000

export interface Lifecycle {
  readonly ready: Readonly<Record<string, () => boolean>>
  /** Warnings that do not affect readiness, shown by `/readyz`. */
  readonly warnings?: () => readonly string[]
  /** Steps of a stop, in order: stop receiving, finish, flush, close. */
  readonly drain: readonly (() => Promise<unknown>)[]
}

export interface ProcessConfig {
  readonly HEALTH_HOST: string
  readonly HEALTH_PORT: number
  readonly DRAIN_TIMEOUT_MS: number
}

export interface ProcessParts {
  readonly config: ProcessConfig
  readonly log: Log
  readonly metrics: Metrics
}

/**
 * Runs a process until SIGTERM or SIGINT, then drains it and exits with 0, or with 1 if the drain takes too long.
 * Serves `GET /livez`, `GET /readyz` and `GET /metrics`. An uncaught exception is logged and ends the process,
 * because its state is unknown.
 */
export async function run(
  { config, log, metrics }: ProcessParts,
  start: () => Promise<Lifecycle>,
): Promise<void> {
  process.on('uncaughtException', error => {
    log.fatal({ err: error }, 'uncaught exception')
    exit(1)
  })

  let life: Lifecycle | undefined
  let stopping = false
  const readiness = () => {
    const checks = Object.entries(life?.ready ?? {}).map(([name, check]) => [name, check()] as const)
    return {
      ready: life !== undefined && !stopping && checks.every(([, ok]) => ok),
      checks: Object.fromEntries(checks),
      warnings: life?.warnings?.() ?? [],
    }
  }
  const server = createServer(answerHealth(readiness, metrics, log))
  const stop = async (signal: string) => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'draining')
    // The timer also keeps the process alive: a drain without active handles must not let it exit with 0.
    setTimeout(() => {
      log.error({ drain_timeout_ms: config.DRAIN_TIMEOUT_MS }, 'drain took too long')
      exit(1)
    }, config.DRAIN_TIMEOUT_MS)
    try {
      for (const step of life?.drain ?? []) await step()
      server.close()
      log.info('stopped')
      exit(0)
    } catch (error) {
      log.error({ err: error }, 'drain failed')
      exit(1)
    }
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)

  // A process without health checks would be killed later.
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(config.HEALTH_PORT, config.HEALTH_HOST, resolve)
  })

  life = await start()
  log.info('ready')

  function exit(code: number) {
    // Nobody may be reading the log any more.
    setTimeout(() => process.exit(code), scaled(flushMs))
    log.flush(() => process.exit(code))
  }
}

interface Readiness {
  readonly ready: boolean
  readonly checks?: Record<string, boolean>
  readonly warnings?: readonly string[]
}

function answerHealth(readiness: () => Readiness, metrics: Metrics, log: Log): RequestListener {
  const json = 'application/json'
  const health = ({ ready, checks, warnings = [] }: Readiness) => ({
    status: ready ? 200 : 503,
    type: json,
    text: JSON.stringify({ ready, checks, ...(warnings.length > 0 && { warnings }) }),
  })
  const pages: Record<string, () => Promise<{ status: number; type: string; text: string }>> = {
    '/livez': async () => health({ ready: true }),
    '/readyz': async () => health(readiness()),
    '/metrics': async () => ({ status: 200, type: metrics.contentType, text: await metrics.text() }),
  }
  return async (request, response) => {
    const page = pages[request.url?.split('?')[0] ?? '']
    const asked = request.method === 'GET' || request.method === 'HEAD'
    if (!page) return response.writeHead(404, { 'content-type': json }).end('{}')
    if (!asked) return response.writeHead(405, { 'content-type': json, allow: 'GET, HEAD' }).end('{}')
    try {
      const { status, type, text } = await page()
      response.writeHead(status, { 'content-type': type }).end(text)
    } catch (err) {
      log.error({ err }, 'cannot read metrics')
      response.writeHead(500, { 'content-type': json }).end('{}')
    }
  }
}

export function failToStart(error: unknown): never {
  const err = { ...describeError(error), stack: undefined }
  const text =
    error instanceof ConfigError ? error.message : JSON.stringify({ level: 60, msg: 'cannot start', err })
  process.stderr.write(`${text}\n`)
  process.exit(1)
}
