/** Senders on one queue, and the mailbox that they send to, new for each test. */
import { openPool } from '@svc/testing/open-pool'
import { waitUntil } from '@svc/local/wait-until'
import { hashCredential } from '@svc/runtime/credential'
import type { Database } from '@svc/runtime/database'
import { createLog } from '@svc/runtime/log'
import type { WorkLoop } from '@svc/runtime/work-loop'
import { testSeal } from '@svc/testing/seal'
import { expect } from 'vitest'
import { createDelivery } from '../../src/mail/mail-delivery.ts'
import { queueTimedNotices } from '../../src/mail/notices/queue-timed-notices.ts'
import { startMessageSender } from '../../src/mail/send-messages.ts'
import { type Mailbox, startMailbox } from '@svc/testing/mailbox'
import { createPeople } from '../people-scene.ts'
import { type RunningService, internal, shareService } from '../running-service.ts'

export interface LogLine {
  level: string
  fields: object
  message: string
}

const origin = { address: '192.0.2.1', user_agent: 'test' }

export async function startMail() {
  const service: RunningService = await shareService()
  const database: Database = openPool(service.databaseUrl)
  const people = createPeople(service)
  let senders: WorkLoop[] = []
  let requests = 0
  let lines: LogLine[] = []
  let mailbox: Mailbox
  const queued = (): Promise<{ id: string; attempts: number }[]> =>
    service.sql`select id, attempts from auth_tokens.messages`
  const often = { everyMs: 5 }
  const empty = () => waitUntil('an empty queue', async () => (await queued()).length === 0, often)
  const startSender = (url = mailbox.url): WorkLoop => {
    const note = (level: string) => (fields: object, message: string) =>
      lines.push({ level, fields, message })
    const sender = startMessageSender({
      sql: () => database.sql,
      now: service.clock.now,
      log: { info: note('info'), warn: note('warn'), error: note('error') } as never,
      publicUrl: 'https://svc.test',
      deliver: createDelivery(url, 'svc <no-reply@svc.test>', createLog('test', 'silent')),
      seal: testSeal,
    })
    senders.push(sender)
    sender.wake()
    return sender
  }
  return {
    service,
    database,
    people,
    get mailbox() {
      return mailbox
    },
    /** What the senders have logged. */
    get lines() {
      return lines
    },
    async beforeEach(): Promise<void> {
      mailbox = await startMailbox()
      lines = []
      await service.sql`delete from auth_tokens.messages`
      await service.sql`delete from auth_tokens.mail_digests`
    },
    async afterEach(): Promise<void> {
      mailbox.release()
      await Promise.all(senders.map(sender => sender.stop()))
      senders = []
      await mailbox.stop()
    },
    async stop() {
      await database.close()
      await service.stop()
    },
    startSender,
    /** Sends what is queued, and nothing that comes later. */
    async send(): Promise<void> {
      const sender = startSender()
      await empty()
      await sender.stop()
    },
    async request(email: string, offer?: object): Promise<void> {
      const address = `2001:db8:1:${(requests++).toString(16)}::1`
      const body = { email, origin: { ...origin, address }, offer }
      expect((await service.ask('request_verification', internal(), { body })).status).toBe(200)
    },
    complete: (token = '') =>
      service.ask('complete_verification', internal(), {
        body: { hash: hashCredential(token), password: 'a good long password', origin },
      }),
    /** A new owner of a new workspace invites the address. */
    async invite(email: string, name = 'Acme') {
      const workspace = await service.newWorkspace()
      await service.sql`update auth_tokens.workspaces set name = ${name} where id = ${workspace}`
      const owner = await people.person(workspace, 'owner')
      const { body } = await people.add(workspace, owner, email, 'admin')
      return { workspace, owner, invitation: String(body.id) }
    },
    queued,
    /** What a work loop does now and then. */
    queueTimed: () => queueTimedNotices(() => database.sql, service.clock.seconds()),
    received: (count: number) =>
      waitUntil(`${count} messages`, () => mailbox.received.length >= count, often),
    empty,
  }
}

export type MailScene = Awaited<ReturnType<typeof startMail>>
