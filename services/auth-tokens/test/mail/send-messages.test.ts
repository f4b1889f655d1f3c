/** Sending messages through a real SMTP server, with two senders on one queue. */
import { forFile } from '@svc/testing/for-file'
import { waitUntil } from '@svc/local/wait-until'
import { createSessionToken, hashCredential } from '@svc/runtime/credential'
import { onOwnClock } from '@svc/testing/own-clock'
import { sized } from '@svc/testing/size'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { claimMessage } from '../../src/mail/claim-message.ts'
import { maxAttempts } from '../../src/mail/send-messages.ts'
import { startMailbox } from '@svc/testing/mailbox'
import { startMail } from './mail-scene.ts'
import { newAddress } from '../people-scene.ts'

const mail = forFile(startMail)
beforeEach(() => mail.beforeEach())
afterEach(() => mail.afterEach())

const many = sized(12, 60)
test(`two senders send each of ${many} messages exactly once, concurrently; later ones need no wake-up`, async () => {
  mail.mailbox.behave('hold')
  const emails = Array.from({ length: many }, newAddress)
  await Promise.all(emails.map(email => mail.request(email)))
  mail.startSender()
  mail.startSender()
  await waitUntil('both at work', () => mail.mailbox.open.now === 2, { everyMs: 5 })
  mail.mailbox.release()
  await mail.empty()
  expect(mail.mailbox.received.flatMap(({ to }) => to).sort()).toEqual([...emails].sort())
  expect(mail.mailbox.open.most).toBe(2)
  const late = newAddress()
  await mail.request(late)
  await mail.empty()
  expect(mail.mailbox.received.at(-1)?.to).toEqual([late])
})

test('a message to a domain of other letters goes to its name in the DNS', async () => {
  await mail.request('Anna@BU\u0308CHER.example')
  await mail.send()
  const [message] = mail.mailbox.received
  expect(message?.headers.get('to')).toEqual(['anna@xn--bcher-kva.example'])
  expect((await mail.complete(message?.token)).status).toBe(200)
})

test('30 concurrent claims never claim the same message twice', async () => {
  for (let round = 0; round < sized(3, 10); round++) {
    const emails = Array.from({ length: 10 }, newAddress)
    await Promise.all(emails.map(email => mail.request(email)))
    const at = mail.service.clock.now() / 1000
    const claimed = await Promise.all(
      Array.from({ length: 30 }, () =>
        claimMessage(mail.database.sql, {
          at,
          linkHash: hashCredential(createSessionToken()),
          lane: 'sign_up',
        }),
      ),
    )
    const ids = claimed.flatMap(message => message?.id ?? [])
    expect(ids.length).toBeGreaterThan(0)
    expect(new Set(ids).size).toBe(ids.length)
    await mail.service.sql`delete from auth_tokens.messages`
  }
})

test('while one sender is sending a message no other claims it', async () => {
  mail.mailbox.behave('hold')
  await mail.request(newAddress())
  mail.startSender()
  await mail.received(1)
  const other = mail.startSender()
  other.wake()
  // Once the other one has sent a later message, it has seen this one.
  const later = newAddress()
  await mail.request(later)
  other.wake()
  await mail.received(2)
  expect(mail.mailbox.received[1]?.to).toEqual([later])
  mail.mailbox.release()
  await mail.empty()
  expect(mail.mailbox.received).toHaveLength(2)
})

test('a new password is sent while 300 invitations, and as many sign-ups, wait for a server that takes its time', async () => {
  mail.mailbox.behave('hold')
  const { sql, clock } = mail.service
  const person = await mail.people.verified()
  await sql`update auth_tokens.users set password_hash = '-' where id = ${person.user}`
  const { workspace } = await mail.invite(newAddress())
  await sql`
    insert into auth_tokens.invitations (id, workspace_id, email, role, created_at, expires_at)
    select 'inv_' || gen_random_uuid(), ${workspace}, n || '@crowd.example', 'member', now(), now() + interval '7 days'
    from generate_series(1, 300) n`
  await sql`
    insert into auth_tokens.messages (id, kind, email, workspace_id, role, created_at, next_at)
    select 'msg_' || gen_random_uuid(), kind, n || '@crowd.example', case kind when 'invitation' then ${workspace} end,
      case kind when 'invitation' then 'member' end, to_timestamp(${clock.seconds() - 60}), to_timestamp(${clock.seconds() - 60})
    from generate_series(1, 300) n, unnest(array['invitation', 'sign_up']) kind`
  mail.startSender()
  await mail.received(2)
  await mail.request(person.email)
  await mail.received(3)
  expect(mail.mailbox.received.slice(0, 2).flatMap(({ to }) => to)).not.toContain(person.email)
  expect(mail.mailbox.received[2]?.to).toEqual([person.email])
  expect((await mail.queued()).length).toBeGreaterThan(600)
})

describe('a server that does not accept messages', () => {
  const refusing = {
    refuses: async () => {
      mail.mailbox.behave('refuse')
      return mail.mailbox.url
    },
    'is down': async () => 'smtp://127.0.0.1:1',
  }

  test.each(Object.entries(refusing))(
    'but %s: sending is retried after 1, 2, 4 … minutes, ten times',
    async (_, make) => {
      const email = newAddress()
      mail.service.clock.stop()
      await mail.request(email)
      const sender = mail.startSender(await make())
      for (let attempt = 1; attempt < maxAttempts; attempt++) {
        await waitUntil(`attempt ${attempt}`, () => mail.lines.length === attempt, {
          everyMs: 5,
        })
        const pause = 60 * 2 ** (attempt - 1)
        mail.service.clock.offsetSeconds += pause - 1
        const [row] = await mail.service
          .sql`select attempts, next_at > to_timestamp(${mail.service.clock.seconds()}) as later
        from auth_tokens.messages`
        expect(row).toEqual({ attempts: attempt, later: true })
        mail.service.clock.offsetSeconds += 1
        sender.wake()
      }
      await mail.empty()
      expect(mail.lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
        ...Array.from({ length: maxAttempts - 1 }, () => 'warn message not sent, will retry'),
        'error message not sent, gave up',
      ])
      for (const { fields } of mail.lines) expect(Object.keys(fields)).not.toContain('err')
      expect(JSON.stringify(mail.lines)).not.toContain(email)
      expect(JSON.stringify(mail.lines)).not.toContain('token')
    },
  )

  test('for a while: the message arrives once it does again', async () => {
    mail.mailbox.behave('refuse')
    const email = newAddress()
    await mail.request(email)
    const sender = mail.startSender()
    await waitUntil('a failure', () => mail.lines.length === 1, { everyMs: 5 })
    mail.mailbox.behave('take')
    mail.service.clock.offsetSeconds += 61
    sender.wake()
    await mail.empty()
    expect(mail.mailbox.received).toHaveLength(2)
    const [first, second] = mail.mailbox.received
    expect(first?.headers.get('message-id')).toEqual(second?.headers.get('message-id'))
    expect(first?.token).not.toBe(second?.token)
    expect((await mail.complete(second?.token)).status).toBe(200)
  })

  test('for one recipient does not delay messages to others', async () => {
    const emails = Array.from({ length: 3 }, newAddress)
    for (const email of emails) await mail.request(email)
    mail.mailbox.behave('refuse')
    const sender = mail.startSender()
    await waitUntil('a failure', () => mail.lines.length === 1, { everyMs: 5 })
    mail.mailbox.behave('take')
    sender.wake()
    await waitUntil('the others', async () => (await mail.queued()).length === 1, { everyMs: 5 })
    expect(mail.mailbox.received.slice(1).flatMap(({ to }) => to)).toEqual(emails.slice(1))
  })
})

describe('a stop', () => {
  test('waits for the message in progress, and claims no other', async () => {
    mail.mailbox.behave('hold')
    await mail.request(newAddress())
    await mail.request(newAddress())
    const sender = mail.startSender()
    await mail.received(1)
    const stopped = sender.stop()
    mail.mailbox.release()
    await stopped
    expect(mail.mailbox.received).toHaveLength(1)
    expect(await mail.queued()).toHaveLength(1)
  })

  test('does not wait for a server that never answers: the message stays queued', async () => {
    mail.mailbox.behave('hold')
    await mail.request(newAddress())
    const sender = mail.startSender()
    await mail.received(1)
    await onOwnClock(async clock => {
      const stopped = sender.stop()
      clock.tick(5000)
      await stopped
    })
    const [row] = await mail.queued()
    expect(row?.attempts).toBe(1)
  })
})

test('the user and password of MAIL_URL are sent to the server', async () => {
  const closed = await startMailbox({ user: 'mailer', pass: 'p@ss/word' })
  try {
    await mail.request(newAddress())
    const sender = mail.startSender(closed.url.replace('p@ss/word', 'wrong'))
    await waitUntil('a refusal', () => mail.lines.length === 1, { everyMs: 5 })
    expect(mail.lines[0]?.fields).toMatchObject({ code: 'EAUTH', response_code: 535 })
    await sender.stop()
    mail.service.clock.offsetSeconds += 61
    mail.startSender(closed.url.replace('p@ss/word', encodeURIComponent('p@ss/word')))
    await mail.empty()
    expect(closed.received).toHaveLength(1)
  } finally {
    await closed.stop()
  }
})
