// In `npm test`: send-messages.test.ts.
/** Messages while the sending processes are killed, and without a mail server. */
import { newSealingKey } from '@svc/runtime/seal'
import { type CallBus, createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { BusAccess } from '@svc/local/bus-access'
import { programs } from '@svc/local/programs'
import { waitUntil } from '@svc/local/wait-until'
import { hashCredential } from '@svc/runtime/credential'
import { createTestDatabase } from '@svc/testing/database'
import { joinProduct } from '@svc/testing/stack/join-product'
import { startTestNats } from '@svc/testing/stack/nats'
import { showOnFailure } from '@svc/testing/recent-lines'
import { scaled } from '@svc/contract/core/deadline-scale'
import type { Product } from '@svc/testing/stack/stack'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Mailbox, startMailbox } from '@svc/testing/mailbox'
import { newAddress } from '../people-scene.ts'

const program = { caller: { kind: 'internal', id: 'test' } } as const
const origin = { address: '', user_agent: 'test' }
let requests = 0
let attempts = 0

/** Calls as the gateway does. */
async function callAs(gateway: BusAccess) {
  const bus = await connectBus(gateway, { info() {}, warn() {}, error() {} })
  return { call: createCall(bus), close: () => bus.close() }
}

/** Retries until it is acknowledged: a replica that was killed meanwhile may or may not have queued the message. */
async function request(call: CallBus, email: string): Promise<void> {
  const address = `2001:db8:2:${(requests++).toString(16)}::1`
  await waitUntil('an acknowledgement', async () => {
    attempts++
    await invoke(call, authTokens, 'request_verification', {
      ...program,
      body: { email, origin: { ...origin, address } },
      // Soon, since a replica that was killed does not answer.
      deadline: Date.now() + scaled(1000),
    })
    return true
  })
}

const complete = (call: CallBus, token = '') =>
  invoke(call, authTokens, 'complete_verification', {
    ...program,
    body: { hash: hashCredential(token), password: 'a good long password', origin },
  })

/** Two processes of the service on a bus and a database of their own. */
async function startProcesses(mailUrl: string) {
  const [nats, database] = await Promise.all([startTestNats(), createTestDatabase()])
  const lines: string[] = []
  const hide = showOnFailure(() => lines)
  const start = programs({
    bus: () => nats.user('auth-tokens'),
    publicUrl: 'https://svc.test',
    onLine: line => lines.push(line),
    options: {
      env: {
        MAIL_URL: mailUrl,
        LOG_LEVEL: 'warn',
        DATABASE_URL: database.urls.auth_tokens,
        SEALING_KEYS: newSealingKey('1'),
      },
    },
  })
  const processes = await Promise.all([1, 2].map(n => start('auth-tokens', `auth-tokens-${n}`, {})))
  await Promise.all(processes.map(process => process.untilReady()))
  const { call, close } = await callAs(nats.user('tests'))
  const sql = postgres(database.adminUrl, { max: 1, onnotice: () => {} })
  return {
    processes,
    lines,
    request: (email: string) => request(call, email),
    complete: (token?: string) => complete(call, token),
    queued: async () => (await sql`select id from auth_tokens.messages`).length,
    /** Ends the leases of killed senders, and with them that of a living one. */
    leasesPass: () => sql`update auth_tokens.messages set next_at = now() where attempts > 0`,
    async stop() {
      hide()
      await close()
      await Promise.all(processes.map(process => process.stop()))
      await sql.end({ timeout: 1 })
      await nats.stop()
      await database.drop()
    },
  }
}

describe('kill -9', () => {
  let box: Mailbox
  let running: Awaited<ReturnType<typeof startProcesses>>
  beforeAll(async () => {
    box = await startMailbox()
    running = await startProcesses(box.url)
  })
  afterAll(async () => {
    box?.release()
    await running?.stop()
    await box?.stop()
  })

  test('killing both senders in the middle of a message has it sent again, and both links work', async () => {
    const { processes, queued } = running
    box.behave('hold')
    const emails = [newAddress(), newAddress()]
    for (const email of emails) await running.request(email)
    await waitUntil('both senders at work', () => box.received.length === 2)
    for (const process of processes) process.kill('SIGKILL')
    await waitUntil('their end', () => processes.every(process => !process.running()))
    box.release()
    await Promise.all(processes.map(process => process.start()))
    expect(await queued()).toBe(2)
    await running.leasesPass()
    await waitUntil('an empty queue', async () => (await queued()) === 0)
    expect(box.received.flatMap(({ to }) => to).sort()).toEqual([...emails, ...emails].sort())
    const [early, late] = emails.map(email => box.received.filter(({ to }) => to[0] === email))
    expect(await running.complete(early?.[0]?.token)).toMatchObject({ id: expect.stringMatching(/^sess_/) })
    expect(await running.complete(late?.[1]?.token)).toMatchObject({ id: expect.stringMatching(/^sess_/) })
  })

  const kills = 6
  test(`senders are killed one after the other (${kills}): every acknowledged message arrives, and few arrive twice`, async () => {
    const { processes, queued } = running
    const first = box.received.length
    const attemptsBefore = attempts
    const received = () => box.received.slice(first)
    const emails: string[] = []
    const requested: Promise<void>[] = []
    let passes = 0
    const leasesPass = () => {
      passes++
      return running.leasesPass()
    }
    for (let kill = 0; kill < kills; kill++) {
      const more = Array.from({ length: 10 }, newAddress)
      emails.push(...more)
      const before = received().length
      requested.push(...more.map(running.request))
      await waitUntil('some messages to arrive', () => received().length >= before + 4)
      const process = processes[kill % 2]
      process?.kill('SIGKILL')
      await waitUntil('its end', () => !process?.running())
      await process?.start()
      await leasesPass()
    }
    await Promise.all(requested)
    await waitUntil(
      'an empty queue',
      async () => {
        const left = await queued()
        // No sender is still working on a message older than an attempt can last.
        if (left > 0) await leasesPass()
        return left === 0
      },
      { everyMs: 500 },
    )
    const counts = emails.map(email => received().filter(({ to }) => to[0] === email).length)
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(1)
    // Each time two may be in progress; and a message whose request was not answered may be queued nevertheless.
    expect(received().length).toBeLessThanOrEqual(attempts - attemptsBefore + 2 * passes)
    expect(new Set(received().map(({ token }) => token)).size).toBe(received().length)
  })
})

describe('MAIL_URL=log:', () => {
  let product: Product
  let gateway: Awaited<ReturnType<typeof callAs>>
  beforeAll(async () => {
    product = await joinProduct()
    gateway = await callAs(product.stack.bus('tests'))
  })
  afterAll(async () => {
    await gateway?.close()
    await product?.stop()
  })

  test('writes messages to the log', async () => {
    const { call } = gateway
    const email = newAddress()
    await request(call, email)
    const lineWith = () => product.lines.find(line => line.includes(email) && line.includes('/verify?token='))
    await waitUntil('the message', () => lineWith() !== undefined)
    const line = lineWith() ?? ''
    expect(line).toMatch(/^auth-tokens-[12] \| \{"level":40,/)
    const token = /\/verify\?token=([0-9A-Za-z]{32})\b/.exec(line)?.[1]
    expect(line).toContain(`${product.stack.gateways[0]?.url}/verify?token=${token}`)
    expect(await complete(call, token)).toMatchObject({ id: expect.stringMatching(/^sess_/) })
  })
})

describe('without MAIL_URL', () => {
  let running: Awaited<ReturnType<typeof startProcesses>>
  beforeAll(async () => {
    running = await startProcesses('')
  })
  afterAll(() => running?.stop())

  test('messages stay queued, and each process logs that once', async () => {
    await running.request(newAddress())
    expect(await running.queued()).toBe(1)
    const warnings = () =>
      running.lines.filter(line => line.includes('MAIL_URL is not set: messages stay queued'))
    await waitUntil('the warning', () => warnings().length === 2)
    expect(await running.queued()).toBe(1)
  })
})
