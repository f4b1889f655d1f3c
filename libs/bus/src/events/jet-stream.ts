/** What JetStream is asked for, and its answers. */
import { scaled } from '@svc/contract/core/deadline-scale'
import type { Msg } from 'nats'
import type { Bus } from '../connection.ts'

// https://github.com/nats-io/nats-server/blob/main/server/errors.json
const nameInUse = 10058

export const nanoseconds = 1_000_000_000
const answerMs = scaled(2000)

/**
 * Asks the server for something of its API (ADR-1).
 *
 * @throws what it says that went wrong, with `code` and `api_error`; 503 where there is no JetStream
 */
export async function askJetStream(bus: Bus, subject: string, body: object): Promise<Msg> {
  if (!bus.connected) throw notConnected()
  const reply = await bus.nc.request(`$JS.API.${subject}`, JSON.stringify(body), { timeout: answerMs })
  const error = errorOf(reply)
  if (error) throw error
  return reply
}

/** Makes a stream. One that is there has the operator's own settings, and is left as it is. */
export async function ensureStream(
  bus: Bus,
  config: { readonly name: string; readonly [setting: string]: unknown },
): Promise<void> {
  await askJetStream(bus, `STREAM.CREATE.${config.name}`, config).catch(error => {
    if (error.api_error?.err_code !== nameInUse) throw error
  })
}

export const notConnected = () => new Error('The bus is not connected.')

/** What JetStream says that went wrong. */
export function errorOf(answer: Msg) {
  const { error } = answer.json<{ error?: { code: number; err_code: number; description: string } }>()
  return error && Object.assign(new Error(error.description), { code: error.code, api_error: error })
}
