import { forFile } from '@svc/testing/for-file'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DevFile, seedDemo } from '@svc/local/seed-demo'
import { forgetCachedAnswers } from '@svc/testing/forget-cached-answers'
import { createClient } from '@svc/client/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinProduct } from '@svc/testing/stack/join-product'

const running = forFile(joinProduct)
let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'svc-demo-'))
})
afterAll(async () => {
  await rm(dataDir, { recursive: true, force: true })
})

/** A domain for the people of this file: the run's product has other demos, too. */
const domain = `${randomBytes(6).toString('hex')}.example`
const seed = () => seedDemo({ stack: running.stack, dataDir, baseUrl: running.baseUrls[0] ?? '', domain })

test('a later start finds the demo of the first, and renews only expired credentials', async () => {
  const first = await seed()
  expect(await seed()).toEqual(first)

  const { base_url: baseUrl, workspace_id: workspace } = first
  const owner = createClient({ baseUrl, token: first.owner.session_token, workspace })
  const { body } = await owner['auth-tokens'].list_api_tokens()
  for (const { id } of body.data) await owner['auth-tokens'].revoke_api_token({ params: { id } })
  await running.sql`delete from auth_tokens.sessions where user_id in
    (select id from auth_tokens.users where email = ${first.member.email})`
  await forgetCachedAnswers(running.sql)

  const later = await seed()
  const renewed = (demo: DevFile) => ({
    ...demo,
    api_token: '',
    member: { ...demo.member, session_token: '' },
  })
  expect(renewed(later)).toEqual(renewed(first))
  for (const token of [later.api_token, later.member.session_token]) {
    const client = createClient({ baseUrl, token, workspace })
    expect((await client.offers.list_installs()).status).toBe(200)
  }
  expect(JSON.parse(await readFile(join(dataDir, 'dev.json'), 'utf8'))).toEqual(later)
})

test('product and channel are enough for an offer of the demo’s own channel', async () => {
  const { base_url: baseUrl, api_token: token, product_id, offer_channel_id } = await seed()
  const { offers } = createClient({ baseUrl, token })
  const { status, body } = await offers.create_offer({ body: { product_id, offer_channel_id } })
  expect(status).toBe(201)
  const offer = await offers.get_offer({ params: { id: body.id } })
  expect(offer.body).toMatchObject({ pricing_request: null, commercial_mode: null })
  expect(offer.body.terms).toMatchObject({ checkout: 'required', commercial_mode: 'paid' })
  expect(offer.body.terms.price).toEqual({ currency: 'eur', unit_amount: 4900, interval: 'month' })
})

test('a file that belongs to another database is replaced by a new demo', async () => {
  const before = await seed()
  // Another database knows none of them.
  const workspaces = [before.workspace_id, before.other_workspace_id]
  await running.sql.begin(async sql => {
    const users = sql`select id from auth_tokens.users where email like ${`%@${domain}`}`
    await sql`delete from auth_tokens.sessions where user_id in (${users})`
    await sql`delete from auth_tokens.memberships where user_id in (${users})`
    await sql`delete from auth_tokens.invitations where workspace_id in ${sql(workspaces)}`
    await sql`delete from auth_tokens.api_tokens where workspace_id in ${sql(workspaces)}`
    await sql`delete from auth_tokens.workspaces where id in ${sql(workspaces)}`
    await sql`delete from auth_tokens.users where email like ${`%@${domain}`}`
  })
  await forgetCachedAnswers(running.sql)
  const after = await seed()
  expect(after.workspace_id).not.toBe(before.workspace_id)
  const client = createClient({ baseUrl: after.base_url, token: after.api_token })
  const offer = await client.offers.create_offer({ body: { product_id: after.product_id } })
  expect(offer.status).toBe(201)
})
