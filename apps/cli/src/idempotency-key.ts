/** Commands that create something send a key, so that repeating them creates no second one. */
import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import type { Cli } from './cli.ts'
import { parseKey } from './parse-values.ts'

export interface KeyOptions {
  readonly idempotencyKey?: string
}

export const withKey = (command: Command): Command =>
  command.option('--idempotency-key <key>', 'repeat an earlier request (default: a new key)', parseKey)

/** Prints the key before the request, so that the person can repeat it whatever happens. */
export function keyHeaders(cli: Cli, { idempotencyKey: key = randomUUID() }: KeyOptions) {
  cli.note(`Idempotency-Key: ${key}`)
  return { 'idempotency-key': key }
}

export function reportReplay(cli: Cli, { headers }: { readonly headers: Headers }, what: string): void {
  if (headers.get('idempotent-replayed') !== 'true') return
  cli.note(`This key was used before: this is the ${what} it created.`)
}
