/** Messages of the whole product while its processes are killed; and without a mail server. */
import { type CallBus, createCall } from '@svc/bus/call'
import { type Bus, connectBus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens'
import { waitUntil } from '@svc/local/wait-until'
import { hashCredential } from '@svc/runtime/credential'
import { type TestStack, startTestStack } from '@svc/testing/stack'
import { afterEach, expect, test } from 'vitest'
import { type Mailbox, startMailbox } from './mailbox.ts'
import { newAddress } from './people-scene.ts'

let stack: TestStack
let bus: Bus
let call: CallBus
let mailbox: Mailbox | undefined

async function start(mailUrl: string) {
  stack = await startTestStack({
    replicas: { 'auth-tokens': 2 },
    env: { MAIL_URL: mailUrl, LOG_LEVEL: 'warn' },
  })
  bus = await connectBus(stack.stack.bus('gateway'), { info() {}, warn() {}, error() {} })
  call = createCall(bus)
}
afterEach(async () => {
  mailbox?.release()
  await bus?.close()
  await stack?.stop()
  await mailbox?.stop()
  mailbox = undefined
})

const program = { caller: { kind: 'internal', id: 'test' } } as const
const origin = { address: '', user_agent: 'test' }
let requests = 0

/** Asks until it is acknowledged: of a replica that was killed meanwhile nobody knows whether it queued the message. */
async function request(email: string): Promise<void> {
  const address = `2001:db8:2:${(requests++).toString(16)}::1`
  await waitUntil('an acknowledgement', async () => {
    await invoke(call, authTokens, 'request_verification', {
      ...program,
      body: { email, origin: { ...origin, address } },
      deadline: Date.now() + 1000,
    })
    return true
  })
}

const complete = (token = '') =>
  invoke(call, authTokens, 'complete_verification', {
    ...program,
    body: { hash: hashCredential(token), password: 'a good long password', origin },
  })

const queued = async () => (await stack.sql`select id from auth_tokens.messages`).length

let passes = 0
/** As if the leases of those who were killed had passed; that of one who lives passes with them. */
async function leasesPass() {
  passes++
  await stack.sql`update auth_tokens.messages set next_at = now() where attempts > 0`
}

test('kill -9 of both senders in the middle of a message: it is sent again, and either link is good', async () => {
  mailbox = await startMailbox()
  mailbox.behave('hold')
  await start(mailbox.url)
  const box = mailbox
  const emails = [newAddress(), newAddress()]
  for (const email of emails) await request(email)
  await waitUntil('both senders at work', () => box.received.length === 2)
  const processes = stack.stack.processes['auth-tokens']
  for (const process of processes) process.kill('SIGKILL')
  await waitUntil('their end', () => processes.every(process => !process.running()))
  box.release()
  await Promise.all(processes.map(process => process.start()))
  expect(await queued()).toBe(2)
  await leasesPass()
  await waitUntil('an empty queue', async () => (await queued()) === 0)
  expect(box.received.flatMap(({ to }) => to).sort()).toEqual([...emails, ...emails].sort())
  const [early, late] = emails.map(email => box.received.filter(({ to }) => to[0] === email))
  expect(await complete(early?.[0]?.token)).toMatchObject({ id: expect.stringMatching(/^sess_/) })
  expect(await complete(late?.[1]?.token)).toMatchObject({ id: expect.stringMatching(/^sess_/) })
})

test('senders are killed again and again: every message that was acknowledged arrives, and few of them twice', async () => {
  mailbox = await startMailbox()
  await start(mailbox.url)
  const box = mailbox
  const emails = Array.from({ length: 60 }, newAddress)
  const requested = Promise.all(emails.map(request))
  const kills = 6
  passes = 0
  for (let kill = 0; kill < kills; kill++) {
    const before = box.received.length
    await waitUntil('messages on their way', () => box.received.length >= before + 4)
    const process = stack.stack.processes['auth-tokens'][kill % 2]
    process?.kill('SIGKILL')
    await waitUntil('its end', () => !process?.running())
    await process?.start()
    await leasesPass()
  }
  await requested
  await waitUntil(
    'an empty queue',
    async () => {
      const left = await queued()
      // No sender works on what is older than its attempt could last.
      if (left > 0) await leasesPass()
      return left === 0
    },
    { everyMs: 500 },
  )
  const counts = emails.map(email => box.received.filter(({ to }) => to[0] === email).length)
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(1)
  // At each pass two may be under way; and what a replica had queued when it was killed is asked for again.
  expect(box.received.length).toBeLessThanOrEqual(emails.length + 2 * passes + kills)
  expect(new Set(box.received.map(({ token }) => token)).size).toBe(box.received.length)
}, 60_000)

test('MAIL_URL=log: writes them into the log', async () => {
  await start('log:')
  const email = newAddress()
  await request(email)
  const lineWith = () => stack.lines.find(line => line.includes(email) && line.includes('/verify?token='))
  await waitUntil('the message', () => lineWith() !== undefined)
  const line = lineWith() ?? ''
  expect(line).toMatch(/^auth-tokens-[12] \| \{"level":40,/)
  const token = /\/verify\?token=([0-9A-Za-z]{32})\b/.exec(line)?.[1]
  expect(line).toContain(`${stack.stack.gateways[0]?.url}/verify?token=${token}`)
  expect(await complete(token)).toMatchObject({ id: expect.stringMatching(/^sess_/) })
})

test('without MAIL_URL they are kept, and it is said once by each process', async () => {
  await start('')
  await request(newAddress())
  expect(await queued()).toBe(1)
  const said = () =>
    stack.lines.filter(line => line.includes('MAIL_URL is not set: messages are kept until it is'))
  await waitUntil('the warning', () => said().length === 2)
  expect(await queued()).toBe(1)
})
