// Mail that the time brings: an API token that expires, told once for each of its two warnings by however many replicas.
import { forFile } from '@svc/testing/for-file'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { firstWarning } from '../../src/mail/notices/warn-of-expiry.ts'
import { startMail } from './mail-scene.ts'
import { newTeam } from './notice-scene.ts'

const day = 86_400

const mail = forFile(startMail)
beforeEach(() => mail.beforeEach())
afterEach(() => mail.afterEach())

const at = 1_795_280_400
test.each([
  ['never', undefined, null],
  ['in ten days', at + 10 * day, at + 3 * day],
  ['in seven days', at + 7 * day, at + 6 * day],
  ['in two days', at + 2 * day, at + day],
  ['in a day', at + day, null],
])('a token that expires %s', (_when, expires_at, first) => {
  expect(firstWarning(expires_at, at)).toBe(first)
})

test('owners are told seven days before a token expires and one day before, with its last use', async () => {
  const { workspace, owner } = await newTeam(mail)
  const { clock, sql } = mail.service
  clock.stop()
  const expires_at = clock.seconds() + 30 * day
  const caller = { kind: 'session', id: 'sess_1', user: owner.user, workspace, role: 'owner' } as const
  const body = { name: 'deploy.example', expires_at }
  const { body: token } = await mail.service.ask('create_api_token', caller, { body })
  const subjects = async () => {
    await Promise.all([mail.queueTimed(), mail.queueTimed(), mail.queueTimed()])
    await mail.send()
    return mail.mailbox.received.map(({ to, headers }) => `${to} ${headers.get('subject')}`)
  }
  clock.offsetSeconds += 22 * day
  expect(await subjects()).toEqual([])
  clock.offsetSeconds += day + 60
  await sql`update auth_tokens.api_tokens set last_used_at = to_timestamp(${at}) where id = ${String(token.id)}`
  const seven = `${owner.email} An API token expires in 7 days`
  expect(await subjects()).toEqual([seven])
  expect(mail.mailbox.received[0]?.text).toContain(
    `Token: deploy. example (…${String(token.token).slice(-4)})\nExpires: `,
  )
  expect(mail.mailbox.received[0]?.text).toContain('Last used: 21 Nov 2026, 17:00 UTC')
  clock.offsetSeconds += 5 * day
  expect(await subjects()).toEqual([seven])
  clock.offsetSeconds += day
  expect(await subjects()).toEqual([seven, `${owner.email} An API token expires within a day`])
  clock.offsetSeconds += 2 * day
  expect(await subjects()).toHaveLength(2)
})

test('after an outage a token is warned of once, and one that has expired is not', async () => {
  const { workspace, owner } = await newTeam(mail)
  const { clock } = mail.service
  clock.stop()
  const caller = { kind: 'session', id: 'sess_1', user: owner.user, workspace, role: 'owner' } as const
  for (const days of [10.5, 9])
    await mail.service.ask('create_api_token', caller, {
      body: { name: `${days}`, expires_at: clock.seconds() + days * day },
    })
  clock.offsetSeconds += 10 * day
  await mail.queueTimed()
  await mail.queueTimed()
  await mail.send()
  expect(mail.mailbox.received.map(({ headers }) => headers.get('subject')?.[0])).toEqual([
    'An API token expires within a day',
  ])
})
