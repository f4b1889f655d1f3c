// What a person does not want is not sent: chosen for each workspace and kind, or by the link of a mail, which does nothing else.
import { forFile } from '@svc/testing/for-file'
import { newSealingKey, createSeal } from '@svc/runtime/seal'
import { testSeal } from '@svc/testing/seal'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { internal } from '../running-service.ts'
import { startMail } from './mail-scene.ts'
import { newTeam, orderMail } from './notice-scene.ts'

const mail = forFile(startMail)
beforeEach(() => mail.beforeEach())
afterEach(() => mail.afterEach())

const request = (...mails: object[]) => mail.service.ask('request_mail', internal(), { body: { mails } })
const recipients = () => mail.mailbox.received.flatMap(({ to }) => to).sort()
const ask = async (operation: 'unsubscribe' | 'read_unsubscription', token: string) =>
  (await mail.service.ask(operation, internal(), { body: { token } })).body

test('the link of a mail switches off its kind for its person and workspace, and no other', async () => {
  const { workspace, owner, admin } = await newTeam(mail)
  await request(orderMail(workspace, 'order_placed'))
  await mail.send()
  const own = mail.mailbox.received.find(({ to }) => to[0] === owner.email)
  const [header] = own?.headers.get('list-unsubscribe') ?? []
  const link = /^<(https:\/\/svc\.test\/mail\/unsubscribe\?token=([\w.-]+))>$/.exec(header ?? '')
  expect(own?.headers.get('list-unsubscribe-post')).toEqual(['List-Unsubscribe=One-Click'])
  expect(own?.text).toContain(`Stop emails of this kind:\n${link?.[1]}\n`)
  expect(own?.html).toContain(`href="${link?.[1]}"`)
  const token = link?.[2] ?? ''
  const says = { kind: 'order_placed', workspace_name: 'Test' }
  expect(await ask('read_unsubscription', token)).toEqual(says)
  mail.mailbox.received.splice(0)
  await request(orderMail(workspace, 'order_placed'))
  // Queued already: it is not sent either.
  for (const _ of [1, 2]) expect(await ask('unsubscribe', token)).toEqual(says)
  await request(orderMail(workspace, 'order_placed'), orderMail(workspace, 'order_paid'))
  await mail.send()
  expect(recipients()).toEqual([admin.email, admin.email, admin.email, owner.email].sort())
  const events = await mail.service.sql`
    select actor ->> 'id' as actor, changes::jsonb as changes from auth_tokens.outbox
    where subject = 'events.mail_preferences.updated' and aggregate_id = ${`${workspace}/${owner.user}`}`
  expect(events).toEqual([{ actor: owner.user, changes: { order_placed: { before: true, after: false } } }])
})

test('preferences are of a person and workspace, and hold for digests as well', async () => {
  const { workspace, owner, admin } = await newTeam(mail)
  const caller = { kind: 'session', id: 'sess_1', user: owner.user } as const
  const params = { id: workspace }
  const patch = (body: object) => mail.service.ask('update_mail_preferences', caller, { params, body })
  for (let n = 0; n < 12; n++) await request(orderMail(workspace, 'order_placed'))
  expect((await patch({ order_placed: false, order_paid: false })).body).toMatchObject({
    order_placed: false,
    order_paid: false,
    order_ends_soon: true,
  })
  expect((await patch({ order_paid: true })).body).toMatchObject({ order_placed: false, order_paid: true })
  const got = await mail.service.ask('get_mail_preferences', caller, { params })
  expect(got.body).toMatchObject({ order_placed: false, order_paid: true })
  mail.service.clock.offsetSeconds += 86_401
  await mail.queueTimed()
  await mail.send()
  expect(recipients()).toEqual(Array(11).fill(admin.email))
})

test('a person who is no member has no preferences', async () => {
  const { workspace } = await newTeam(mail)
  const stranger = await mail.people.verified()
  const options = { params: { id: workspace } }
  const caller = { kind: 'session', id: 'sess_1', user: stranger.user } as const
  expect((await mail.service.ask('get_mail_preferences', caller, options)).status).toBe(403)
  const change = { ...options, body: { order_paid: false } }
  expect((await mail.service.ask('update_mail_preferences', caller, change)).status).toBe(403)
})

test('a link that is made up, changed, sealed for something else, or of another kind of mail is not valid', async () => {
  const { workspace, owner } = await newTeam(mail)
  const what = `${owner.user} ${workspace} order_placed`
  const good = testSeal.seal(what, 'unsubscribe')
  const others = [
    'x',
    good.slice(0, -2),
    `${good.slice(0, -4)}AAAA`,
    testSeal.seal(what, 'signing_keys 1'),
    createSeal(newSealingKey('test')).seal(what, 'unsubscribe'),
    testSeal.seal(`${owner.user} ${workspace} new_browser`, 'unsubscribe'),
  ]
  for (const token of others)
    expect(await ask('unsubscribe', token)).toEqual({ kind: null, workspace_name: null })
  const rows = await mail.service.sql`select from auth_tokens.muted_notices where workspace_id = ${workspace}`
  expect(rows).toHaveLength(0)
})
