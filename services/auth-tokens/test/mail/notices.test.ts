// Mail about what happens: to whom it is for, once, as text and HTML, and not to who does not want it.
import { forFile } from '@svc/testing/for-file'
import { newId } from '@svc/runtime/id'
import { sized } from '@svc/testing/size'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { purge } from '../../src/purge.ts'
import { internal } from '../running-service.ts'
import { startMail } from './mail-scene.ts'
import { newTeam, orderFacts, orderMail, subscriptionFacts } from './notice-scene.ts'

const mail = forFile(startMail)
beforeEach(() => mail.beforeEach())
afterEach(() => mail.afterEach())

const request = async (...mails: object[]) => {
  const answer = await mail.service.ask('request_mail', internal(), { body: { mails } })
  expect(answer).toMatchObject({ status: 200 })
}
const recipients = () => mail.mailbox.received.flatMap(({ to }) => to).sort()
const sent = async () => {
  await mail.send()
  return mail.mailbox.received
}

test('a placed order is told to verified owners and admins, once however often it is asked for', async () => {
  const { workspace, owner, admin } = await newTeam(mail)
  const placed = orderMail(workspace, 'order_placed')
  await request(placed, placed)
  await request(placed)
  const [first] = await sent()
  await request(placed)
  expect(await mail.queued()).toEqual([])
  expect(recipients()).toEqual([owner.email, admin.email].sort())
  expect(first?.headers.get('subject')).toEqual(['New order: Analytics from Test'])
  expect(first?.headers.get('auto-submitted')).toEqual(['auto-generated'])
  for (const said of ['Analytics', 'kim@globex.example', '€49.00 per month'])
    for (const part of [first?.text, first?.html]) expect(part).toContain(said)
  const link = `https://svc.test/orders/${orderFacts.order_id}`
  expect(first?.text).toContain(`Open the order:\n${link}`)
  expect(first?.html).toContain(`href="${link}"`)
})

test('about one event a person gets one mail: the first that they have not switched off', async () => {
  const { workspace, owner, admin } = await newTeam(mail)
  await mail.service.sql`insert into auth_tokens.muted_notices (user_id, workspace_id, notice)
    values (${admin.user}, ${workspace}, 'seats_used_up')`
  const event = newId('evt')
  const kinds = ['seats_used_up', 'order_paid', 'order_placed']
  await request(...kinds.map(kind => orderMail(workspace, kind, { event })))
  await request({ ...orderMail(workspace, 'order_completed', { event }), user_id: owner.user })
  const subjects = (await sent()).map(({ to, headers }) => [to[0], headers.get('subject')?.[0]]).sort()
  expect(subjects).toEqual(
    [
      [owner.email, 'Sold out: Analytics from Test'],
      [admin.email, 'An order was paid: Analytics from Test'],
    ].sort(),
  )
})

test('a mail for one member is for no other, and for nobody who is none', async () => {
  const { workspace, member } = await newTeam(mail)
  const other = await mail.people.verified()
  await request(
    { ...orderMail(workspace, 'order_received'), user_id: member.user },
    { ...orderMail(workspace, 'order_received'), user_id: other.user },
  )
  await sent()
  expect(recipients()).toEqual([member.email])
})

test('a person who has left, or is no admin any more, when a notice is sent gets none', async () => {
  const { workspace, owner, admin, member } = await newTeam(mail)
  await request(orderMail(workspace, 'order_placed'), {
    ...orderMail(workspace, 'order_received'),
    user_id: member.user,
  })
  await mail.service.sql`update auth_tokens.memberships set role = 'member' where user_id = ${admin.user}`
  await mail.service.sql`delete from auth_tokens.memberships where user_id = ${member.user}`
  await sent()
  expect(recipients()).toEqual([owner.email])
})

test('a notice that could not be sent for three days is dropped', async () => {
  const { workspace } = await newTeam(mail)
  await request(orderMail(workspace, 'order_placed'))
  mail.service.clock.offsetSeconds += 3 * 86_400 + 1
  expect(await sent()).toEqual([])
})

test('a reminder that a subscription ends is dropped once what was paid has ended', async () => {
  mail.service.clock.stop()
  const { workspace, owner, admin } = await newTeam(mail)
  const reminder = (hours: number) => {
    const paid_through = Math.floor(mail.service.clock.seconds()) + hours * 3600
    return orderMail(workspace, 'your_subscription_ends_soon', {
      ...subscriptionFacts,
      paid_through,
      days: 1,
    })
  }
  await request(reminder(1), reminder(3))
  mail.service.clock.offsetSeconds += 2 * 3600
  await sent()
  expect(recipients()).toEqual([owner.email, admin.email].sort())
})

test('without a mail server notices go after three days, and other mail waits', async () => {
  mail.service.clock.stop()
  const { workspace } = await newTeam(mail)
  await request(orderMail(workspace, 'order_placed'))
  await mail.request(`${newId('user')}@people.example`)
  const { clock, sql } = mail.service
  const purged = async () => {
    await purge(mail.database.sql, clock.seconds())
    const rows = await sql`select kind from auth_tokens.messages order by kind`
    return rows.map(({ kind }) => kind)
  }
  clock.offsetSeconds += 3 * 86_400 - 1
  expect(await purged()).toEqual(['notice', 'notice', 'sign_up'])
  clock.offsetSeconds += 2
  expect(await purged()).toEqual(['sign_up'])
})

const many = sized(60, 10_000)
test(`a person gets ten of ${many} notices of a kind in a day, and the rest in one mail when the day is over`, async () => {
  mail.service.clock.stop()
  const { workspace, owner, admin } = await newTeam(mail)
  for (let batch = 0; batch < many / 20; batch++)
    await request(
      ...Array.from({ length: 20 }, (_, n) =>
        orderMail(workspace, 'order_placed', { order_id: `order_${batch}_${n}` }),
      ),
    )
  await request(orderMail(workspace, 'order_paid'))
  await sent()
  expect(recipients()).toEqual([...Array(11).fill(owner.email), ...Array(11).fill(admin.email)].sort())
  mail.mailbox.received.splice(0)
  mail.service.clock.offsetSeconds += 86_399
  await mail.queueTimed()
  expect(await mail.queued()).toEqual([])
  mail.service.clock.offsetSeconds += 2
  await Promise.all([mail.queueTimed(), mail.queueTimed()])
  const [digest] = await sent()
  expect(recipients()).toEqual([owner.email, admin.email].sort())
  expect(digest?.headers.get('subject')).toEqual([
    `${many - 10} more: A customer has placed an order that needs nothing from you`,
  ])
  expect(digest?.text).toContain('- Analytics, kim@globex.example\n  https://svc.test/orders/order_0_10')
  expect(digest?.text).toContain(`${many - 30} more happened.`)
  expect(digest?.headers.get('list-unsubscribe-post')).toEqual(['List-Unsubscribe=One-Click'])
})

test('ten a day of notices take nothing from sign-up, and however many wait, a sign-up is sent before them', async () => {
  const { workspace, owner } = await newTeam(mail)
  for (let n = 0; n < 12; n++) await request(orderMail(workspace, 'order_placed'))
  mail.mailbox.behave('hold')
  mail.startSender()
  await mail.received(1)
  const email = `${newId('user')}@people.example`
  await mail.request(email)
  await mail.received(2)
  // One of the notices is on its way.
  expect(mail.mailbox.received[1]?.to).toEqual([email])
  await mail.request(owner.email)
  await mail.received(3)
  expect(mail.mailbox.received[2]?.to).toEqual([owner.email])
})
