/** Messages on their way: by a real SMTP server, with two senders on one queue. */
import { waitUntil } from '@svc/local/wait-until'
import { type Database, openDatabase } from '@svc/runtime/database'
import { createSessionToken, hashCredential } from '@svc/runtime/credential'
import { createLog } from '@svc/runtime/log'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { claimMessage } from '../src/claim-message.ts'
import { createDelivery } from '../src/mail-delivery.ts'
import { type MessageSender, maxAttempts, startMessageSender } from '../src/send-messages.ts'
import { type Mailbox, startMailbox } from './mailbox.ts'
import { newAddress, type People, type Person, createPeople } from './people-scene.ts'
import { type RunningService, internal, runService } from './running-service.ts'

const publicUrl = 'https://svc.test'

let service: RunningService
let people: People
let database: Database
let mailbox: Mailbox
let senders: MessageSender[]
let lines: { level: string; fields: object; message: string }[]

beforeAll(async () => {
  service = await runService()
  people = createPeople(service)
  database = openDatabase({
    DATABASE_URL: service.databaseUrl,
    DATABASE_POOL_SIZE: 4,
    DATABASE_QUEUE_LIMIT: 100,
  })
})
afterAll(async () => {
  await database.close()
  await service.stop()
})
beforeEach(async () => {
  mailbox = await startMailbox()
  senders = []
  lines = []
  await service.sql`delete from auth_tokens.messages`
})
afterEach(async () => {
  mailbox.release()
  await Promise.all(senders.map(sender => sender.stop()))
  await mailbox.stop()
})

function startSender(url = mailbox.url) {
  const note = (level: string) => (fields: object, message: string) => lines.push({ level, fields, message })
  const sender = startMessageSender({
    sql: () => database.sql,
    now: () => Date.now() + service.clock.offsetSeconds * 1000,
    log: { warn: note('warn'), error: note('error') } as never,
    publicUrl,
    deliver: createDelivery(url, 'svc <no-reply@svc.test>', createLog('test', 'silent')),
  })
  senders.push(sender)
  sender.wake()
  return sender
}

const origin = { address: '192.0.2.1', user_agent: 'test' }
let requests = 0
async function request(email: string) {
  const address = `2001:db8:1:${(requests++).toString(16)}::1`
  const body = { email, origin: { ...origin, address } }
  expect((await service.ask('request_verification', internal(), { body })).status).toBe(200)
}

const complete = (token = '') =>
  service.ask('complete_verification', internal(), {
    body: { hash: hashCredential(token), password: 'a good long password', origin },
  })

const queued = () => service.sql`select id, attempts from auth_tokens.messages`
const received = (count: number) =>
  waitUntil(`${count} messages`, () => mailbox.received.length >= count, { timeoutMs: 10_000, everyMs: 5 })
const empty = () =>
  waitUntil('an empty queue', async () => (await queued()).length === 0, { timeoutMs: 10_000, everyMs: 5 })

async function invite(email: string, name = 'Acme') {
  const workspace = await service.newWorkspace()
  await service.sql`update auth_tokens.workspaces set name = ${name} where id = ${workspace}`
  const owner = await people.person(workspace, 'owner')
  const { body } = await people.add(workspace, owner, email, 'admin')
  return { workspace, owner, user: String(body.id) }
}

describe('a message', () => {
  test('for an address that nobody has carries a link that makes the user, and the secret is stored nowhere', async () => {
    const email = newAddress()
    await request(email)
    startSender()
    await empty()
    expect(mailbox.received).toHaveLength(1)
    const [message] = mailbox.received
    expect(message).toMatchObject({ to: [email], from: 'no-reply@svc.test' })
    expect(message?.headers.get('from')).toEqual(['svc <no-reply@svc.test>'])
    expect(message?.headers.get('subject')).toEqual(['Confirm your address'])
    expect(message?.headers.get('auto-submitted')).toEqual(['auto-generated'])
    expect(message?.text).toBe(
      [
        `Somebody, most likely you, wants to sign up as ${email} at https://svc.test.`,
        `Choose a password here:\nhttps://svc.test/verify?token=${message?.token}`,
        'The link works once, and for 24 hours.',
        'If it was not you, do nothing: without the link nothing changes. Pass it on to nobody.',
      ].join('\n\n'),
    )
    const tables =
      await service.sql`select table_name from information_schema.tables where table_schema = 'auth_tokens'`
    for (const { table_name } of tables) {
      const rows = await service.sql`select * from auth_tokens.${service.sql(table_name)}`
      expect(JSON.stringify(rows)).not.toContain(message?.token)
    }
    expect((await complete(message?.token)).status).toBe(200)
    expect(lines).toEqual([])
  })

  test('for an address that has signed up offers a new password', async () => {
    const email = newAddress()
    await request(email)
    startSender()
    await received(1)
    await complete(mailbox.received[0]?.token)
    await request(email)
    senders[0]?.wake()
    await received(2)
    const second = mailbox.received[1]
    expect(second?.headers.get('subject')).toEqual(['Set a new password'])
    expect(second?.text).toContain('When you do, every session of yours ends.')
    expect((await complete(second?.token)).status).toBe(200)
  })

  test('of an invitation says who invites where and as what, and its link accepts', async () => {
    const email = newAddress()
    const { workspace, owner, user } = await invite(email)
    startSender()
    await empty()
    const [message] = mailbox.received
    expect(message?.to).toEqual([email])
    expect(message?.headers.get('subject')).toEqual(['Invitation to Acme'])
    expect(message?.text).toBe(
      [
        `${owner.user}@test.example invites ${email} to the workspace "Acme" at https://svc.test, with the role admin.`,
        `To accept, choose a password here:\nhttps://svc.test/verify?token=${message?.token}`,
        'The link works once, and for 24 hours. Later you can ask for another link at https://svc.test/sign-up.',
        'If you did not expect this, do nothing: without the link nothing changes. Pass it on to nobody.',
      ].join('\n\n'),
    )
    expect((await people.memberships(workspace))[user]?.active).toBe(false)
    expect((await complete(message?.token)).status).toBe(200)
    expect((await people.memberships(workspace))[user]).toEqual({ role: 'admin', active: true })
  })

  test('to whom has signed up carries no link that could change the password', async () => {
    const email = newAddress()
    await request(email)
    startSender()
    await received(1)
    await complete(mailbox.received[0]?.token)
    const links = () => service.sql`select from auth_tokens.verifications where email = ${email}`
    const { workspace, user } = await invite(email)
    senders[0]?.wake()
    await received(2)
    expect(mailbox.received[1]?.headers.get('subject')).toEqual(['You are a member of Acme now'])
    expect(mailbox.received[1]?.text).toContain('Sign in as usual:\nhttps://svc.test/sign-in')
    expect(mailbox.received[1]?.token).toBeUndefined()
    expect(await links()).toEqual([])
    expect((await people.memberships(workspace))[user]?.active).toBe(true)
  })

  test('of an invitation that was taken back is not sent', async () => {
    const { workspace, owner, user } = await invite(newAddress())
    await people.remove(workspace, owner, user)
    startSender()
    await empty()
    expect(mailbox.received).toEqual([])
  })

  test.each([
    'Acme\r\nBcc: evil@evil.example\r\nSubject: other',
    'Acme\n\nYour account is closed: https://evil.example',
    'Acme\u2028\u202egro.live\u0000',
    `${'ä'.repeat(99)}"`,
    '"Acme" <evil@evil.example>',
  ])('stays one message to one address, whatever the workspace is called: %j', async name => {
    const email = newAddress()
    await invite(email, name.replaceAll('\u0000', ''))
    startSender()
    await empty()
    expect(mailbox.received).toHaveLength(1)
    const [message] = mailbox.received
    expect(message?.to).toEqual([email])
    for (const header of ['bcc', 'cc']) expect(message?.headers.has(header)).toBe(false)
    for (const header of ['subject', 'to', 'from']) expect(message?.headers.get(header)).toHaveLength(1)
    const [first] = message?.text.split('\n') ?? []
    expect(first).toMatch(/invites .* to the workspace ".*" at https:\/\/svc\.test, with the role admin\.$/)
    expect(first).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u)
  })
})

test('of 60 messages two senders send each once, side by side; what comes later needs no waking', async () => {
  mailbox.behave('hold')
  const emails = Array.from({ length: 60 }, newAddress)
  await Promise.all(emails.map(request))
  startSender()
  startSender()
  await waitUntil('both at work', () => mailbox.open.now === 2, { everyMs: 5 })
  mailbox.release()
  await empty()
  expect(mailbox.received.flatMap(({ to }) => to).sort()).toEqual([...emails].sort())
  expect(mailbox.open.most).toBe(2)
  const late = newAddress()
  await request(late)
  await empty()
  expect(mailbox.received.at(-1)?.to).toEqual([late])
})

test('of 30 claims at once no two are of the same message', async () => {
  for (let round = 0; round < 10; round++) {
    const emails = Array.from({ length: 10 }, newAddress)
    await Promise.all(emails.map(request))
    const at = Date.now() / 1000 + service.clock.offsetSeconds
    const claimed = await Promise.all(
      Array.from({ length: 30 }, () =>
        claimMessage(database.sql, { at, linkHash: hashCredential(createSessionToken()) }),
      ),
    )
    const ids = claimed.flatMap(message => message?.id ?? [])
    expect(ids.length).toBeGreaterThan(0)
    expect(new Set(ids).size).toBe(ids.length)
    await service.sql`delete from auth_tokens.messages`
  }
})

test('while one sender is at a message no other takes it', async () => {
  mailbox.behave('hold')
  await request(newAddress())
  startSender()
  await received(1)
  const other = startSender()
  other.wake()
  // The other one has looked when it has sent what came later.
  const later = newAddress()
  await request(later)
  other.wake()
  await received(2)
  expect(mailbox.received[1]?.to).toEqual([later])
  mailbox.release()
  await empty()
  expect(mailbox.received).toHaveLength(2)
})

describe('a server that does not take messages', () => {
  const refusing = {
    refuses: async () => {
      mailbox.behave('refuse')
      return mailbox.url
    },
    'is down': async () => 'smtp://127.0.0.1:1',
  }

  test.each(Object.entries(refusing))(
    'and %s: it is tried again after 1, 2, 4 … minutes, ten times',
    async (_, make) => {
      const email = newAddress()
      await request(email)
      const sender = startSender(await make())
      for (let attempt = 1; attempt < maxAttempts; attempt++) {
        await waitUntil(`attempt ${attempt}`, () => lines.length === attempt, {
          timeoutMs: 10_000,
          everyMs: 5,
        })
        const pause = 60 * 2 ** (attempt - 1)
        service.clock.offsetSeconds += pause - 5
        const [row] =
          await service.sql`select attempts, next_at > to_timestamp(${service.clock.seconds()}) as later
        from auth_tokens.messages`
        expect(row).toEqual({ attempts: attempt, later: true })
        service.clock.offsetSeconds += 6
        sender.wake()
      }
      await empty()
      expect(lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
        ...Array.from({ length: maxAttempts - 1 }, () => 'warn message not sent yet'),
        'error message given up',
      ])
      for (const { fields } of lines) expect(Object.keys(fields)).not.toContain('err')
      expect(JSON.stringify(lines)).not.toContain(email)
      expect(JSON.stringify(lines)).not.toContain('token')
    },
  )

  test('for a while: the message arrives when it does again', async () => {
    mailbox.behave('refuse')
    const email = newAddress()
    await request(email)
    const sender = startSender()
    await waitUntil('a failure', () => lines.length === 1, { everyMs: 5 })
    mailbox.behave('take')
    service.clock.offsetSeconds += 61
    sender.wake()
    await empty()
    expect(mailbox.received).toHaveLength(2)
    const [first, second] = mailbox.received
    expect(first?.headers.get('message-id')).toEqual(second?.headers.get('message-id'))
    expect(first?.token).not.toBe(second?.token)
    expect((await complete(second?.token)).status).toBe(200)
  })

  test('and one recipient’s message that fails holds up nobody else’s', async () => {
    const emails = Array.from({ length: 3 }, newAddress)
    for (const email of emails) await request(email)
    mailbox.behave('refuse')
    const sender = startSender()
    await waitUntil('a failure', () => lines.length === 1, { everyMs: 5 })
    mailbox.behave('take')
    sender.wake()
    await waitUntil('the others', async () => (await queued()).length === 1, { everyMs: 5 })
    expect(mailbox.received.slice(1).flatMap(({ to }) => to)).toEqual(emails.slice(1))
  })
})

describe('a stop', () => {
  test('waits for the message under way, and takes no other', async () => {
    mailbox.behave('hold')
    await request(newAddress())
    await request(newAddress())
    const sender = startSender()
    await received(1)
    const stopped = sender.stop()
    mailbox.release()
    await stopped
    expect(mailbox.received).toHaveLength(1)
    expect(await queued()).toHaveLength(1)
  })

  test('does not wait for a server that never answers: the message stays', async () => {
    mailbox.behave('hold')
    await request(newAddress())
    const sender = startSender()
    await received(1)
    await sender.stop()
    const [row] = await queued()
    expect(row?.attempts).toBe(1)
  })
})

test('the server is told user and password of MAIL_URL', async () => {
  const closed = await startMailbox({ user: 'mailer', pass: 'p@ss/word' })
  try {
    await request(newAddress())
    const sender = startSender(closed.url.replace('p@ss/word', 'wrong'))
    await waitUntil('a refusal', () => lines.length === 1, { everyMs: 5 })
    expect(lines[0]?.fields).toMatchObject({ code: 'EAUTH', response_code: 535 })
    await sender.stop()
    service.clock.offsetSeconds += 61
    startSender(closed.url.replace('p@ss/word', encodeURIComponent('p@ss/word')))
    await empty()
    expect(closed.received).toHaveLength(1)
  } finally {
    await closed.stop()
  }
})

test('an invitation names who sent it, also when they were removed since', async () => {
  const email = newAddress()
  const { workspace, owner } = await invite(email)
  const other = await people.person(workspace, 'owner')
  await people.remove(workspace, other as Person, owner.user)
  startSender()
  await empty()
  expect(mailbox.received[0]?.text).toContain(`${owner.user}@test.example invites`)
})
