/** Events to a program on this machine, as a webhook endpoint would get them, without retries. */
import { createHmac } from 'node:crypto'
import { auditTypes } from '@svc/contract/events'
import { signWebhook } from '@svc/outbound/sign-webhook'
import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { UsageError } from '../../failure.ts'
import { collect, timeText } from '../../parse-values.ts'
import { withExamples } from '../../with-examples.ts'
import { newEvents, type TailedEvent } from './new-events.ts'

/** As for an endpoint. */
const timeoutMs = 10_000

interface ListenOptions {
  readonly forward: URL
  readonly type?: readonly string[]
}

export const listenCommand = (webhooks: Command, cli: Cli): Command =>
  withExamples(
    webhooks
      .command('listen')
      .description('Send events to a program on this machine as they happen, until you stop it.'),
    'webhooks listen --forward http://localhost:3000/hooks',
    "webhooks listen --forward http://localhost:3000 --type 'orders.*'",
  )
    .requiredOption('--forward <url>', 'where to send them', parseUrl)
    .option('--type <type>', 'only this type, or all of a noun: orders.*; may be repeated', collect)
    .action(options => listen(cli, options))

async function listen(cli: Cli, { forward, type: types }: ListenOptions): Promise<void> {
  const { token, workspace } = await cli.connect()
  // The same for each run with this credential, so the receiver is configured once.
  const secret = `whsec_${createHmac('sha256', token).update('svc webhooks listen').digest('base64')}`
  cli.note(`Signing secret: ${secret}`)
  for await (const event of newEvents(cli)) {
    if (auditTypes.some(type => type === event.type) || !isWanted(event.type, types)) continue
    const { id, type, created_at, aggregate_id, sequence, data } = event
    const workspace_id = workspace ?? data.workspace_id
    const body = JSON.stringify({ id, type, created_at, workspace_id, aggregate_id, sequence, data })
    const outcome = await send(cli, forward, { id, body, secret })
    cli.stdout.write(`${[timeText(created_at), type, aggregate_id, outcome].join('  ')}\n`)
  }
}

interface Delivery {
  readonly id: string
  readonly body: string
  readonly secret: string
}

async function send(cli: Cli, url: URL, { id, body, secret }: Delivery): Promise<string> {
  const timestamp = Math.floor(Date.now() / 1000)
  try {
    const { status } = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'svc-webhooks',
        ...signWebhook({ id, timestamp, body, secrets: [secret] }),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([cli.signal, AbortSignal.timeout(timeoutMs)]),
    })
    return `HTTP ${status}`
  } catch (error) {
    cli.signal.throwIfAborted()
    const { cause, name } = error as Error & { cause?: { code?: string } }
    return `not delivered (${cause?.code ?? name})`
  }
}

const isWanted = (type: TailedEvent['type'], types: readonly string[] | undefined): boolean =>
  types === undefined ||
  types.some(one => one === type || (one.endsWith('.*') && type.startsWith(one.slice(0, -1))))

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError('--forward must be a URL such as http://localhost:3000.')
  return url
}
