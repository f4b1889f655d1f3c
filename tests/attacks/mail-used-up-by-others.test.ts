// Any account with one workspace: adding and removing a member eleven times (0.2 s) used up an address's ten mails of a
// day, and kept its owner from signing up and from setting a new password. Anyone, without an account: requesting three
// links every ten minutes had the same effect.
import { type CallBus, createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { ApiError } from '@svc/contract/core/errors'
import { waitUntil } from '@svc/local/wait-until'
import { hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { joinProduct } from '@svc/testing/stack/join-product'
import type { Product } from '@svc/testing/stack/stack'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requester } from '@svc/testing/stack/driven-stack'

const program = { caller: { kind: 'internal', id: 'test' } } as const

let product: Product
let gateway: { call: CallBus; close(): Promise<void> }
beforeAll(async () => {
  product = await joinProduct()
  const bus = await connectBus(product.stack.bus('tests'), { info() {}, warn() {}, error() {} })
  gateway = { call: createCall(bus), close: () => bus.close() }
})
afterAll(async () => {
  await gateway?.close()
  await product?.stop()
})

const newAddress = () => `${newId('user')}@victims.example`
/** Another IPv6 network. */
const newNetwork = () =>
  `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::${randomBytes(1).toString('hex')}`
const originAt = (address: string) => ({ address, user_agent: 'attack' })

/** Like the page /sign-up for someone at this network address: `sent`, or the tag of the refusal. */
const askForLink = (email: string, address = newNetwork()): Promise<string> =>
  invoke(gateway.call, authTokens, 'request_verification', {
    ...program,
    body: { email, origin: originAt(address) },
  }).then(
    () => 'sent',
    error => (error as ApiError).tag,
  )

const mailsTo = (email: string) =>
  product.lines.flatMap(line => {
    const at = line.indexOf('{')
    if (at < 0 || !line.includes(email)) return []
    const { to, msg } = JSON.parse(line.slice(at)) as { to?: string; msg: string }
    return to === email ? [msg] : []
  })

const allSent = (email: string) =>
  waitUntil('an empty queue', async () => {
    const waiting = await product.sql`select from auth_tokens.messages where email = ${email}`
    return waiting.length === 0
  })

const opened = new Set<string>()
/** Opens the newest link that was sent to the address. */
async function openLink(
  email: string,
  address = newNetwork(),
  password = `${randomBytes(9).toString('hex')} is mine`,
) {
  await allSent(email)
  const newest = () =>
    mailsTo(email)
      .flatMap(text => /\/verify\?token=([0-9A-Za-z]{32})\b/.exec(text)?.[1] ?? [])
      .findLast(token => !opened.has(token))
  await waitUntil('a link', () => newest() !== undefined)
  const token = newest() ?? ''
  opened.add(token)
  const body = { hash: hashCredential(token), password, origin: originAt(address) }
  return invoke(gateway.call, authTokens, 'complete_verification', { ...program, body })
}

async function send(method: string, path: string, body?: object) {
  const { base_url, stranger } = product.dev
  const { status, answer } = await requester(base_url)(method, path, stranger.session_token, { body })
  return { status, body: answer }
}

const newWorkspace = async () => String((await send('POST', '/workspaces', { name: 'Attack' })).body.id)

async function addAndRemove(workspace: string, email: string) {
  const path = `/workspaces/${workspace}`
  const added = await send('POST', `${path}/members`, { email, role: 'member' })
  await allSent(email)
  const removed = await send('DELETE', `${path}/invitations/${added.body.id}`)
  return [added.status, removed.status]
}

describe('adding and removing an address', () => {
  test('eleven times sends it one mail, and its owner can sign up', async () => {
    const email = newAddress()
    const workspace = await newWorkspace()
    for (let round = 0; round < 11; round++) expect(await addAndRemove(workspace, email)).toEqual([201, 204])
    await expect.poll(() => mailsTo(email)).toHaveLength(1)
    expect(await askForLink(email)).toBe('sent')
    expect(await openLink(email)).toMatchObject({ token: expect.any(String) })
  })

  test('in 12 workspaces sends it ten mails, and its owner can set a new password', async () => {
    const email = newAddress()
    expect(await askForLink(email)).toBe('sent')
    await openLink(email)
    for (let round = 0; round < 12; round++) {
      expect(await addAndRemove(await newWorkspace(), email)).toEqual([201, 204])
    }
    // And the requested link.
    await expect.poll(() => mailsTo(email)).toHaveLength(11)
    expect(await askForLink(email)).toBe('sent')
    await openLink(email)
  })

  test('by 30 requests at once sends one mail', async () => {
    const email = newAddress()
    const workspace = await newWorkspace()
    const members = `/workspaces/${workspace}/members`
    for (let round = 0; round < 2; round++) {
      const answers = await Promise.all(
        Array.from({ length: 30 }, () => send('POST', members, { email, role: 'member' })),
      )
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
      await allSent(email)
      const id = answers.find(({ status }) => status === 201)?.body.id
      expect((await send('DELETE', `/workspaces/${workspace}/invitations/${id}`)).status).toBe(204)
    }
    await expect.poll(() => mailsTo(email)).toHaveLength(1)
  })
})

describe('requesting links without an account', () => {
  test.each(['has an account', 'has none'])(
    'from one network keeps nobody whose address %s from requesting one',
    async kind => {
      const email = newAddress()
      if (kind === 'has an account') {
        await askForLink(email)
        await openLink(email)
      }
      const attacker = newNetwork()
      const answers = await Promise.all(Array.from({ length: 40 }, () => askForLink(email, attacker)))
      expect(answers).toContain('RateLimited')
      expect(await askForLink(email)).toBe('sent')
      await openLink(email)
    },
  )

  test('from 60 networks leaves the owner’s reserve, which is available where they have signed in before', async () => {
    const email = newAddress()
    const home = newNetwork()
    await askForLink(email, home)
    await openLink(email, home)
    const answers = await Promise.all(Array.from({ length: 60 }, () => askForLink(email)))
    // Its own request was for signing up.
    expect(answers.sort()).toEqual([...Array(50).fill('RateLimited'), ...Array(10).fill('sent')])
    expect(await askForLink(email)).toBe('RateLimited')
    expect(await askForLink(email, home)).toBe('sent')
    await openLink(email, home)
  })

  test('to 30 addresses from one network leaves the reserve to who has signed in there', async () => {
    const [email, home] = [newAddress(), newNetwork()]
    await askForLink(email, home)
    await openLink(email, home)
    const answers = await Promise.all(Array.from({ length: 40 }, () => askForLink(newAddress(), home)))
    expect(answers.sort()).toEqual([...Array(11).fill('RateLimited'), ...Array(29).fill('sent')])
    expect(await askForLink(newAddress(), home)).toBe('RateLimited')
    expect(await askForLink(email, home)).toBe('sent')
    await openLink(email, home)
  })

  test('reveals nothing about an address: with and without an account refusals begin at the same number', async () => {
    const [known, unknown] = [newAddress(), newAddress()]
    await askForLink(known)
    await openLink(known)
    const counts = []
    for (const email of [known, unknown]) {
      const near = newNetwork()
      const far = await Promise.all(Array.from({ length: 20 }, () => askForLink(email, near)))
      const wide = await Promise.all(Array.from({ length: 30 }, () => askForLink(email)))
      counts.push([far, wide].map(answers => answers.filter(answer => answer === 'sent').length))
    }
    expect(counts[0]).toEqual(counts[1])
  })
})
