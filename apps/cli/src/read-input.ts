import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { lostNumber } from '@svc/contract/core/json-numbers'
import type { Cli } from './cli.ts'
import { UsageError } from './failure.ts'

/**
 * The text of a file, or with `-` that of standard input.
 *
 * @throws UsageError if standard input is read twice
 */
export async function readInput({ stdin, signal }: Cli, path: string): Promise<string> {
  if (path !== '-') return read(path)
  if (stdin.readableEnded) throw new UsageError('Standard input can be read once only.')
  return untilAborted(text(stdin), signal)
}

export async function readJsonInput(cli: Cli, path: string): Promise<object> {
  const content = await readInput(cli, path)
  return parseJsonObject(content.replace(/^\uFEFF/, ''), path === '-' ? 'Standard input' : path)
}

/**
 * @param source names it in messages
 * @throws UsageError
 */
export function parseJsonObject(json: string, source: string): object {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    throw new UsageError(`${source} is not JSON: ${(error as Error).message.replace(/\s+/g, ' ')}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`${source} is not a JSON object.`)
  }
  const lost = lostNumber(json)
  if (lost) throw new UsageError(`${source}: ${lost.path.join('.')} ${lost.problem}.`)
  return value
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new UsageError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}
