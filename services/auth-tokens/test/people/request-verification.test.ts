/** Requesting a link that verifies an address, and verification by a program. */
import { password } from '@svc/testing/password'
import { forFile } from '@svc/testing/for-file'
import { describe, expect, test } from 'vitest'
import { newAddress, createPeople, summaryOf } from '../people-scene.ts'
import { dayInSeconds } from '../../src/credentials/attempts.ts'
import { type Answer, internal, shareService } from '../running-service.ts'
import { createLinks, origin } from './links-scene.ts'

const service = forFile(shareService)
const people = createPeople(service)
const links = createLinks(service)

describe('requesting a link', () => {
  const queued = (email: string) =>
    service.sql`select kind, email, workspace_id, invited_by from auth_tokens.messages where email = ${email}`

  test('is answered alike for known and unknown addresses, and creates no user', async () => {
    const known = newAddress()
    await links.complete(await links.newLink(known))
    const unknown = newAddress()
    const answers = [await links.request(known.toUpperCase()), await links.request(unknown)]
    expect(answers[0]).toEqual({ status: 200, body: undefined })
    expect(answers[1]).toEqual(answers[0])
    for (const [email, kind] of [
      [known, 'recovery'],
      [unknown, 'sign_up'],
    ] as const) {
      const [message] = await queued(email)
      expect({ ...message }).toEqual({ kind, email, workspace_id: null, invited_by: null })
    }
    expect(await service.sql`select from auth_tokens.users where email = ${unknown}`).toEqual([])
  })

  const signUp = async (email: string, address: string) =>
    service.ask('complete_verification', internal(), {
      body: { hash: await links.newLink(email), password, origin: { ...origin, address } },
    })
  const many = (count: number, ask: () => Promise<Answer>) => Promise.all(Array.from({ length: count }, ask))
  const sent = (answers: Answer[]) => answers.filter(({ status }) => status === 200).length

  test.each(['known', 'unknown'])(
    'for a %s address works ten times a day for everyone together, and four times from one network',
    async kind => {
      const email = newAddress()
      if (kind === 'known') await signUp(email, '198.51.100.77')
      const near = await many(30, () => links.request(email, '203.0.113.20'))
      expect(sent(near)).toBe(4)
      const far = await many(30, () => links.request(email))
      expect(sent(far)).toBe(6)
      expect(new Set([...near, ...far].map(summaryOf))).toEqual(new Set(['200', '429 42902']))
      expect(await queued(email)).toHaveLength(10)
      service.clock.offsetSeconds += dayInSeconds + 1
      expect((await links.request(email)).status).toBe(200)
    },
  )

  test('works four more times from a network where the person has signed in, whatever others have requested', async () => {
    const email = newAddress()
    await signUp(email, '2001:db8:99:1::1')
    expect(sent(await many(30, () => links.request(email)))).toBe(10)
    expect(sent(await many(30, () => links.request(email, '2001:db8:99:1::2')))).toBe(4)
    expect(sent(await many(3, () => links.request(email, '2001:db8:99:2::1')))).toBe(0)
    expect(await queued(email)).toHaveLength(14)
  })

  test('for signing up does not count against the limit for a new password', async () => {
    const email = newAddress()
    expect(sent(await many(30, () => links.request(email)))).toBe(10)
    await signUp(email, '198.51.100.78')
    expect(sent(await many(30, () => links.request(email)))).toBe(10)
  })

  test('works 30 times in ten minutes from one network address', async () => {
    const from = '203.0.113.9'
    const answers = await Promise.all(Array.from({ length: 50 }, () => links.request(newAddress(), from)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30)
    expect((await links.request(newAddress())).status).toBe(200)
  })
})

describe('verification by a program', () => {
  test('keeps the time of the first verification, and accepts no invitation', async () => {
    const user = await service.newUser()
    const email = `${user}@test.example`
    const workspace = await service.newWorkspace()
    await people.add(workspace, await people.person(workspace, 'owner'), email)
    const verify = () => service.ask('verify_user', internal(), { body: { email: email.toUpperCase() } })
    expect(await verify()).toEqual({ status: 200, body: { id: user } })
    expect((await people.memberships(workspace))[user]).toBeUndefined()
    const time = () => service.sql`select verified_at from auth_tokens.users where email = ${email}`
    const before = await time()
    service.clock.offsetSeconds += 60
    await verify()
    expect(await time()).toEqual(before)
  })

  test('refuses an unknown address', async () => {
    const answer = await service.ask('verify_user', internal(), { body: { email: newAddress() } })
    expect(summaryOf(answer)).toBe('422 42201 email')
  })
})
