/** Standard Webhooks: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'
const secretBytes = 32

export interface ToSign {
  /** The same for each attempt. */
  readonly id: string
  /** Unix seconds, of this attempt. */
  readonly timestamp: number
  /** Exactly what is sent. */
  readonly body: string
  /** While a secret is being changed there are two: each of them signs. */
  readonly secrets: readonly string[]
}

export interface SignatureHeaders extends Record<string, string> {
  'webhook-id': string
  'webhook-timestamp': string
  'webhook-signature': string
}

export const newWebhookSecret = (): string => `${prefix}${randomBytes(secretBytes).toString('base64')}`

/** The headers by which a receiver knows who sent it, and when. */
export function signWebhook({ id, timestamp, body, secrets }: ToSign): SignatureHeaders {
  const signed = `${id}.${timestamp}.${body}`
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map(secret => `v1,${sign(secret, signed)}`).join(' '),
  }
}

function sign(secret: string, text: string) {
  if (!secret.startsWith(prefix)) throw new Error(`a webhook secret begins with ${prefix}`)
  const key = Buffer.from(secret.slice(prefix.length), 'base64')
  return createHmac('sha256', key).update(text).digest('base64')
}
