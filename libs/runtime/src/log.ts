/** The log of a process: JSON lines on standard output, written in batches off the hot path. */
import { pino } from 'pino'

export type Log = pino.Logger

/**
 * Never in a log, wherever they stand: credentials, their hashes, what sellers write for themselves, and what the
 * database driver knows of a statement and PostgreSQL of the row.
 */
const secrets = [
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
]

export function createLog(name: string, level: string): Log {
  return pino(
    {
      name,
      level,
      redact: { paths: secrets.flatMap(key => [key, `*.${key}`, `*.*.${key}`]), censor: '[redacted]' },
      formatters: { log: describeErrors },
      serializers: { err: described => described },
    },
    pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 200 } as object),
  )
}

/** Errors are described under whatever name they stand. */
const describeErrors = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      value instanceof Error || name === 'err' ? describeError(value) : value,
    ]),
  )

/**
 * Only what names the fault. Errors of the database driver carry the statement's parameters, and PostgreSQL's own
 * `detail` and `where` quote rows, so nothing is copied wholesale.
 */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code, constraint_name, table_name } = error as Error & Record<string, unknown>
  return { type: error.name, message: error.message, code, constraint_name, table_name, stack: error.stack }
}
