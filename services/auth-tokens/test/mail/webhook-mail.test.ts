/** Mail about webhook endpoints: to verified owners and admins, once for each key. */
import { forFile } from '@svc/testing/for-file'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { internal } from '../running-service.ts'
import { startMail } from './mail-scene.ts'

const mail = forFile(startMail)
beforeEach(() => mail.beforeEach())
afterEach(() => mail.afterEach())

const request = async (workspace: string, key: string, kind: 'failing' | 'disabled' | 'gone') => {
  const body = { key, kind, host: 'hooks.acme.example', since: 1_795_280_400 }
  const answer = await mail.service.ask('request_webhook_mail', internal(workspace), { body })
  expect(answer.status).toBe(200)
}

async function newTeam() {
  const workspace = await mail.service.newWorkspace()
  const [owner, admin, member] = [
    await mail.people.person(workspace, 'owner'),
    await mail.people.person(workspace, 'admin'),
    await mail.people.person(workspace, 'member'),
  ]
  const verified = async ({ user }: { user: string }) => {
    const [row] = await mail.service.sql`
      update auth_tokens.users set verified_at = now() where id = ${user} returning email`
    return { email: String(row?.email) }
  }
  await verified(member)
  return { workspace, owner: await verified(owner), admin: await verified(admin) }
}

test('owners and admins get it, once however often it is asked for, and without a link', async () => {
  const { workspace, owner, admin } = await newTeam()
  const key = `whe_1 failing ${workspace}`
  await request(workspace, key, 'failing')
  await request(workspace, key, 'failing')
  const links = () => mail.service.sql`select count(*)::int as count from auth_tokens.verifications`
  const before = await links()
  await mail.send()
  await request(workspace, key, 'failing')
  expect(await mail.queued()).toEqual([])
  expect(mail.mailbox.received.flatMap(({ to }) => to).sort()).toEqual([owner.email, admin.email].sort())
  const [first] = mail.mailbox.received
  expect(first?.headers.get('subject')).toEqual(['A webhook endpoint fails'])
  expect(first?.text).toContain('has accepted nothing since 2026-11-21 17:00 UTC.')
  expect(await links()).toEqual(before)
})

test('a person who is no admin any more when a warning is sent gets none, and another key is another mail', async () => {
  const { workspace, owner, admin } = await newTeam()
  await request(workspace, `whe_2 disabled ${workspace}`, 'disabled')
  await request(workspace, `whe_2 gone ${workspace}`, 'gone')
  await mail.service.sql`
    update auth_tokens.memberships set role = 'member' from auth_tokens.users u
    where memberships.user_id = u.id and u.email = ${admin.email}`
  await mail.send()
  expect(mail.mailbox.received.flatMap(({ to }) => to)).toEqual([owner.email, owner.email])
  const texts = mail.mailbox.received.map(({ text }) => text).join()
  expect(texts).toContain('was disabled, as it has accepted nothing since')
  expect(texts).toContain('was disabled, as it answered 410 Gone.')
})
