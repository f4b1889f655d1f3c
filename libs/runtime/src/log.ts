/** The log of a process: JSON lines on standard output, written in batches off the hot path. */
import { pino } from 'pino'

export type Log = pino.Logger

/** Never in a log, wherever they stand: credentials, their hashes, and what sellers write for themselves. */
const secrets = [
  'authorization',
  'token',
  'hash',
  'password',
  'secret',
  'cookie',
  'device_code',
  'user_code',
  'internal_note',
  'notes',
]

export function createLog(name: string, level: string): Log {
  return pino(
    {
      name,
      level,
      redact: { paths: secrets.flatMap(key => [key, `*.${key}`, `*.*.${key}`]), censor: '[redacted]' },
      serializers: { err: describeError },
    },
    pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 200 } as object),
  )
}

/**
 * Only what names the fault. Errors of the database driver carry the statement's parameters, and PostgreSQL's own
 * `detail` and `where` quote rows, so nothing is copied wholesale.
 */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code, constraint_name, table_name } = error as Error & Record<string, unknown>
  return { type: error.name, message: error.message, code, constraint_name, table_name, stack: error.stack }
}
