import { sized } from '@svc/testing/size'
import { forFile } from '@svc/testing/for-file'
import { beforeAll, describe, expect, test } from 'vitest'
import { Jar } from '../../services/gateway/test/web/cookie-jar.ts'
import { setOfferScene } from '../../services/gateway/test/web/store/offer/offer-scene.ts'

const scene = forFile(setOfferScene)
let root: string
beforeAll(async () => {
  root = scene.urls[0]
})

const form = {
  properties: {
    database: { type: 'string', default: 'main' },
    password: { type: 'string', format: 'password', default: 'the victim’s own' },
  },
}
const decoy = 'Victim Inc.'
const secret = 'the victim’s own'

/** As a person at the API. */
async function ask(token: string, method: string, path: string, { body, workspace }: Asked = {}) {
  const answer = await fetch(`${root}/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(workspace && { 'svc-context': workspace }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, text: await answer.text() }
}
interface Asked {
  body?: object
  workspace?: string
}

/** Creates that many workspaces with the name that the victim expects, and invites them, in every role. */
async function spreadDecoys(emails: readonly string[], count: number) {
  const attacker = await scene.newCustomer([])
  const token = await scene.openSession(attacker)
  const workspaces: string[] = []
  const answers: { email: string; status: number; text: string }[] = []
  for (let n = 0; n < count; n++) {
    const { text } = await ask(token, 'POST', '/workspaces', { body: { name: decoy } })
    const { id } = JSON.parse(text) as { id: string }
    workspaces.push(id)
    for (const email of emails) {
      const body = { email, role: (['member', 'admin', 'owner'] as const)[n % 3] }
      answers.push({ email, ...(await ask(token, 'POST', `/workspaces/${id}/members`, { body })) })
    }
  }
  return { attacker, token, workspaces, answers }
}

/** Everything that the attacker can read of their workspaces. */
async function readAll(token: string, workspaces: readonly string[]) {
  const texts: string[] = []
  for (const workspace of workspaces) {
    for (const path of ['/orders', '/installs', '/orders?relation=received']) {
      texts.push((await ask(token, 'GET', path, { workspace })).text)
    }
    for (const list of ['members', 'invitations']) {
      texts.push((await ask(token, 'GET', `/workspaces/${workspace}/${list}`)).text)
    }
  }
  return texts.join('\n')
}

async function signIn({ email }: { email: string }) {
  const jar = new Jar()
  jar.cookies.set('__Host-svc_session', await scene.openSession({ email }))
  return jar
}

const decoys = sized(6, 20)

describe.each([
  { who: 'has no workspace', own: [] },
  { who: 'has one', own: ['Lovelace & Co'] },
  { who: 'has two', own: ['Lovelace & Co', 'Home'] },
])(`a victim who $who and is invited to ${decoys} workspaces "Victim Inc."`, ({ own }) => {
  test('orders for their own workspace: the attacker reads nothing and owns nothing', async () => {
    const victim = await scene.newCustomer(own)
    const { token, workspaces, answers } = await spreadDecoys([victim.email], decoys)
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: decoys }, () => 201))
    const offer = { allowed_emails: [victim.email] }
    const { hash, path } = await scene.newOffer({ schema: form, offer })
    const before = await readAll(token, workspaces)

    // The page neither names nor preselects any of them, nor does the API.
    const jar = await signIn(victim)
    const page = await jar.ask(root + path)
    expect(page.status).toBe(200)
    expect(page.text).not.toContain(decoy)
    for (const id of workspaces) expect(page.text).not.toContain(id)
    const session = await scene.openSession(victim)
    expect((await ask(session, 'GET', '/workspaces')).text).not.toContain(decoy)
    for (const workspace of workspaces) {
      expect((await ask(session, 'POST', `/i/${hash}/orders`, { workspace })).status).toBe(403)
    }

    const values = JSON.stringify({ database: 'main', password: secret })
    const sent = {
      _csrf: page.csrf,
      field_values: values,
      ...(own.length > 1 && { workspace: victim.workspaces[1] ?? '' }),
      ...(own.length === 0 && { workspace_name: decoy }),
    }
    const ordered = await jar.ask(root + path, { form: sent, headers: { origin: root } })
    expect(ordered.status).toBe(303)
    const [order] = await scene.orders(hash)
    expect(order?.state).toBe('completed')
    expect(workspaces).not.toContain(order?.customer_workspace_id)

    // The attacker sees what they saw before, and the order is not theirs.
    expect(await readAll(token, workspaces)).toBe(before)
    expect(before).not.toContain('"order_')
    for (const workspace of workspaces) {
      const answer = await ask(token, 'GET', `/orders/${order?.id}`, { workspace })
      expect(answer).toMatchObject({ status: 404, text: expect.not.stringContaining(secret) })
    }
  })
})

test('inviting addresses reveals nothing about who has an account', async () => {
  const known = await scene.newCustomer(['Acme'])
  const unknown = `${known.id.slice(-12)}@nowhere.example`
  const { token, workspaces, answers } = await spreadDecoys([known.email, unknown], 3)
  const seen = (text: string, email: string) =>
    text
      .replaceAll(email, 'EMAIL')
      .replaceAll(/"id":"\w+"/g, '"id":"ID"')
      .replaceAll(/_at":\d+/g, '_at":TIME')
  for (let n = 0; n < answers.length; n += 2) {
    const [one, other] = [answers[n], answers[n + 1]]
    expect(one?.status).toBe(201)
    expect(seen(one?.text ?? '', known.email)).toBe(seen(other?.text ?? '', unknown))
  }
  for (const workspace of workspaces) {
    const { data } = JSON.parse((await ask(token, 'GET', `/workspaces/${workspace}/members`)).text)
    expect(data).toHaveLength(1)
  }
  const read = await readAll(token, workspaces)
  expect(read).not.toContain(known.id)
  expect(await scene.stack.sql`select from auth_tokens.users where email = ${unknown}`).toEqual([])
})

test('the victim signs up afterwards, and is in none of them', async () => {
  const email = `${(await scene.newPerson()).id.slice(-12)}.new@people.example`
  const { workspaces } = await spreadDecoys([email], 3)
  await scene.stack.sql`delete from auth_tokens.users where email = ${email} and password_hash is not null`
  const jar = new Jar()
  const link = () =>
    scene.stack.lines
      .filter(line => line.includes(`"to":"${email}"`))
      .flatMap(line => /\/verify\?token=(\w{32})/.exec(line)?.[1] ?? [])
      .at(-1)
  await expect.poll(link).toBeDefined()
  const page = await jar.ask(`${root}/verify?token=${link()}`)
  const sent = { _csrf: page.csrf, token: link() ?? '', password: 'a sentence with enough letters' }
  expect((await jar.ask(`${root}/verify`, { form: sent, headers: { origin: root } })).status).toBe(303)
  const members = await scene.stack.sql`
    select from auth_tokens.memberships m join auth_tokens.users u on u.id = m.user_id
    where u.email = ${email} and m.workspace_id = any (${workspaces})`
  expect(members).toEqual([])
  const { path } = await scene.newOffer({ offer: { allowed_emails: [email] } })
  const offer = await jar.ask(root + path)
  expect(offer.text).toContain('Workspace name')
  expect(offer.text).not.toContain(decoy)
})
