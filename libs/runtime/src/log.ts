/** The log of a process: JSON lines on standard output, written in batches off the hot path. */
import { logFields, tracing } from '@svc/telemetry/tracing'
import { pino } from 'pino'

export type Log = pino.Logger

/**
 * Never logged at any depth: credentials, their hashes, sellers' own notes, and what the database driver and
 * PostgreSQL reveal of a statement or a row.
 */
const secrets = new Set([
  'authorization',
  'token',
  'api_token',
  'session_token',
  'access_token',
  'refresh_token',
  'hash',
  'password',
  'password_hash',
  'secret',
  'client_secret',
  'secretKey',
  'webhookSecret',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'cookie',
  'device_code',
  'user_code',
  'internal_note',
  'notes',
  'query',
  'parameters',
  'args',
  'detail',
  'where',
])

export function createLog(name: string, level: string): Log {
  const log = pino(
    {
      name,
      level,
      formatters: { log: fields => printable(fields, 1) },
      serializers: { err: described => described },
      ...(tracing && { mixin: logFields }),
    },
    inBatches(),
  )
  // Bindings of child loggers bypass the formatters.
  const { child } = log
  log.child = function (this: Log, fields: object, options?: object) {
    return child.call(this, printable(fields, 1), options)
  } as Log['child']
  return log
}

const flushEveryMs = 200

/**
 * Writes to standard output some KB at a time. pino's own `periodicFlush` makes a system call even when nothing was
 * logged.
 */
function inBatches() {
  const output = pino.destination({ dest: 1, sync: false, minLength: 12_288 })
  const { write } = output
  let unwritten = 0
  let flusher: NodeJS.Timeout | undefined
  output.on('write', bytes => {
    unwritten -= bytes
  })
  output.write = line => {
    unwritten += Buffer.byteLength(line)
    flusher ??= setInterval(flush, flushEveryMs).unref()
    return write.call(output, line)
  }
  return output

  function flush() {
    if (unwritten > 0) return output.flush()
    clearInterval(flusher)
    flusher = undefined
  }
}

const maxDepth = 3

/**
 * Removes secrets and describes errors under whatever name they appear. pino's own redaction, which needs a path
 * for each name at each level, took a quarter of the gateway's time.
 */
function printable(fields: object, depth: number): Record<string, unknown> {
  const line: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (secrets.has(name)) line[name] = '[redacted]'
    else if (value instanceof Error || (name === 'err' && depth === 1)) line[name] = describeError(value)
    else if (Array.isArray(value)) line[name] = Object.values(nested(value, depth))
    else if (typeof value === 'object' && value !== null && !('toJSON' in value)) {
      line[name] = nested(value, depth)
    } else line[name] = value
  }
  return line
}

const nested = (value: object, depth: number): object =>
  depth < maxDepth ? printable(value, depth + 1) : value

/**
 * Copies only what identifies the fault: errors of the database driver carry the statement's parameters, and
 * PostgreSQL's `detail` and `where` quote rows.
 */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code, constraint_name, table_name } = error as Error & Record<string, unknown>
  return { type: error.name, message: error.message, code, constraint_name, table_name, stack: error.stack }
}
