/** The texts of messages, and that nobody can inject text into them. */
import { forFile } from '@svc/testing/for-file'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startMail } from './mail-scene.ts'
import { newAddress, type Person } from '../people-scene.ts'

const mail = forFile(startMail)
beforeEach(() => mail.beforeEach())
afterEach(() => mail.afterEach())

describe('a message', () => {
  test('to an unknown address has a link that creates the user, and its secret is stored nowhere', async () => {
    const email = newAddress()
    await mail.request(email)
    await mail.send()
    expect(mail.mailbox.received).toHaveLength(1)
    const [message] = mail.mailbox.received
    expect(message).toMatchObject({ to: [email], from: 'no-reply@svc.test' })
    expect(message?.headers.get('from')).toEqual(['svc <no-reply@svc.test>'])
    expect(message?.headers.get('subject')).toEqual(['Confirm your email'])
    expect(message?.headers.get('auto-submitted')).toEqual(['auto-generated'])
    expect(message?.text).toBe(
      [
        `Confirm your email for https://svc.test to finish signing up as ${email}.`,
        `Choose a password here:\nhttps://svc.test/verify?token=${message?.token}`,
        'The link works once, within 24 hours.',
        'If this was not you, ignore this email: nothing changes without the link. Do not share this link.',
      ].join('\n\n'),
    )
    const tables = await mail.service
      .sql`select table_name from information_schema.tables where table_schema = 'auth_tokens'`
    for (const { table_name } of tables) {
      const rows = await mail.service.sql`select * from auth_tokens.${mail.service.sql(table_name)}`
      expect(JSON.stringify(rows)).not.toContain(message?.token)
    }
    expect(message?.html).toContain(`href="https://svc.test/verify?token=${message?.token}"`)
    expect((await mail.complete(message?.token)).status).toBe(200)
    expect(mail.lines).toEqual([])
  })

  test('to who signs up to order names the product and the seller, and its link leads back to the offer', async () => {
    await mail.request(newAddress(), { product: 'North Sync', seller: 'Northsoft', return_to: '/i/abc' })
    await mail.request(newAddress(), {
      product: 'Go to evil.example\n"now"',
      seller: null,
      return_to: '/i/abc',
    })
    await mail.send()
    const [named, hostile] = mail.mailbox.received.map(({ headers, text }) => [headers.get('subject'), text])
    expect(named?.[0]).toEqual(['Confirm your email to order North Sync from Northsoft'])
    expect(named?.[1]).toMatch(
      /^Confirm your email for https:\/\/svc\.test to order North Sync from Northsoft as /,
    )
    expect(named?.[1]).toMatch(/\/verify\?token=\w{32}&return_to=%2Fi%2Fabc\n/)
    expect(hostile?.[0]).toEqual(["Confirm your email to order Go to evil. example 'now'"])
  })

  test('to an address that has signed up offers a new password', async () => {
    const email = newAddress()
    await mail.request(email)
    const sender = mail.startSender()
    await mail.received(1)
    await mail.complete(mail.mailbox.received[0]?.token)
    await mail.request(email)
    sender.wake()
    await mail.received(2)
    const second = mail.mailbox.received[1]
    expect(second?.headers.get('subject')).toEqual(['Set a new password'])
    expect(second?.text).toContain('Choosing a new password signs you out everywhere else.')
    expect((await mail.complete(second?.token)).status).toBe(200)
  })

  test('an invitation names inviter, workspace and role, and its link leads to the page to accept it', async () => {
    const email = newAddress()
    const { workspace, owner } = await mail.invite(email)
    await mail.send()
    const [message] = mail.mailbox.received
    expect(message?.to).toEqual([email])
    expect(message?.headers.get('subject')).toEqual(['Invitation to a workspace'])
    expect(message?.text).toBe(
      [
        `${owner.user}@test.example invited ${email} to the workspace "Acme" at https://svc.test, with the role admin.`,
        `To see who owns it and to accept or decline within 7 days, choose a password here:\nhttps://svc.test/verify?token=${message?.token}&return_to=/invitations`,
        'The link works once, within 24 hours. You can ask for another link later at https://svc.test/sign-up.',
        'If you did not expect this, ignore this email: nothing changes without the link. Do not share this link.',
      ].join('\n\n'),
    )
    expect((await mail.complete(message?.token)).status).toBe(200)
    expect(await mail.people.memberships(workspace)).toEqual({ [owner.user]: 'owner' })
  })

  test('an invitation to a person who has signed up has no link that could change the password', async () => {
    const email = newAddress()
    await mail.request(email)
    const sender = mail.startSender()
    await mail.received(1)
    await mail.complete(mail.mailbox.received[0]?.token)
    const links = () => mail.service.sql`select from auth_tokens.verifications where email = ${email}`
    const { workspace, owner } = await mail.invite(email)
    sender.wake()
    await mail.received(2)
    const second = mail.mailbox.received[1]
    expect(second?.headers.get('subject')).toEqual(['Invitation to a workspace'])
    expect(second?.text).toBe(
      [
        `${owner.user}@test.example invited ${email} to the workspace "Acme" at https://svc.test, with the role admin.`,
        'To see who owns it and to accept or decline within 7 days, open:\nhttps://svc.test/invitations',
        'If you did not expect this, ignore this email: you become a member only if you accept.',
      ].join('\n\n'),
    )
    expect(second?.token).toBeUndefined()
    expect(await links()).toEqual([])
    expect(await mail.people.memberships(workspace)).toEqual({ [owner.user]: 'owner' })
  })

  test('the message of a revoked invitation is not sent', async () => {
    const { workspace, owner, invitation } = await mail.invite(newAddress())
    await mail.people.revoke(workspace, owner, invitation)
    await mail.send()
    expect(mail.mailbox.received).toEqual([])
  })

  test.each([
    'Acme\r\nBcc: evil@evil.example\r\nSubject: other',
    'Acme\n\nYour account is closed: https://evil.example',
    'Acme\u2028\u202egro.live\u0000',
    `${'ä'.repeat(99)}"`,
    '"Acme" <evil@evil.example>',
  ])('stays one message to one address with any workspace name: %j', async name => {
    const email = newAddress()
    await mail.invite(email, name.replaceAll('\u0000', ''))
    await mail.send()
    expect(mail.mailbox.received).toHaveLength(1)
    const [message] = mail.mailbox.received
    expect(message?.to).toEqual([email])
    for (const header of ['bcc', 'cc']) expect(message?.headers.has(header)).toBe(false)
    for (const header of ['subject', 'to', 'from']) expect(message?.headers.get(header)).toHaveLength(1)
    const [first] = message?.text.split('\n') ?? []
    expect(first).toMatch(/invited .* to the workspace ".*" at https:\/\/svc\.test, with the role admin\.$/)
    expect(first).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u)
  })
})

test('an invitation whose inviter has been removed since is not sent', async () => {
  const email = newAddress()
  const { workspace, owner } = await mail.invite(email)
  const other = await mail.people.person(workspace, 'owner')
  await mail.people.remove(workspace, other as Person, owner.user)
  await mail.send()
  expect(mail.mailbox.received).toEqual([])
})
