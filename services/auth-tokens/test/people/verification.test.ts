/** Links that verify an address: they work once, and what they do. */
import { password } from '@svc/testing/password'
import { forFile } from '@svc/testing/for-file'
import { createSessionToken, hashCredential } from '@svc/runtime/credential'
import { sized } from '@svc/testing/size'
import { describe, expect, test } from 'vitest'
import { newAddress, type Person, createPeople, summaryOf } from '../people-scene.ts'
import { shareService } from '../running-service.ts'
import { createLinks, invalidLink } from './links-scene.ts'

const service = forFile(shareService)
const people = createPeople(service)
const links = createLinks(service)

describe('following a link', () => {
  test('creates a verified user who can sign in, and opens a session', async () => {
    const email = newAddress()
    const hash = await links.newLink(email)
    expect(await links.read(hash)).toBe(email)
    expect(await links.read(hash)).toBe(email)
    const { status, body } = await links.complete(hash)
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        outcome: 'opened',
        id: expect.stringMatching(/^sess_/),
        token: expect.stringMatching(/^[0-9A-Za-z]{32}$/),
        expires_at: expect.any(Number),
      },
    })
    const [user] =
      await service.sql`select id, verified_at, password_hash from auth_tokens.users where email = ${email}`
    expect(user?.verified_at).toBeInstanceOf(Date)
    expect(user?.password_hash).toMatch(/^\$argon2id\$/)
    expect(await links.userOf(body.token)).toBe(user?.id)
    expect((await links.signIn(email)).status).toBe(200)
  })

  test('accepts no invitation: the person still finds all of them', async () => {
    const email = newAddress()
    const workspaces = await Promise.all([1, 2].map(() => service.newWorkspace()))
    for (const workspace of workspaces) {
      await people.add(workspace, await people.person(workspace, 'owner'), email, 'admin')
    }
    const { body } = await links.complete(await links.newLink(email))
    const user = String(await links.userOf(body.token))
    const caller = { kind: 'session', id: String(body.id), user } as Person
    expect((await service.ask('list_workspaces', caller)).body.data).toEqual([])
    const { data } = (await people.own(caller)).body as {
      data: { role: string; workspace: { id: string } }[]
    }
    expect(data.map(({ workspace, role }) => `${workspace.id} ${role}`)).toEqual(
      workspaces.map(id => `${id} admin`).reverse(),
    )
  })

  test('replaces a lost password, ends every session, and keeps the time of the first verification', async () => {
    const email = newAddress()
    const first = await links.complete(await links.newLink(email))
    const [before] = await service.sql`select id, verified_at from auth_tokens.users where email = ${email}`
    service.clock.offsetSeconds += 60
    const second = await links.complete(await links.newLink(email), 'another long password')
    expect(await links.userOf(first.body.token)).toBeUndefined()
    expect(await links.userOf(second.body.token)).toBe(before?.id)
    expect(summaryOf(await links.signIn(email))).toBe('401 40103')
    expect((await links.signIn(email, 'another long password')).status).toBe(200)
    const [after] = await service.sql`select id, verified_at from auth_tokens.users where email = ${email}`
    expect(after).toEqual(before)
  })

  test('works once, and ends every other link of the address', async () => {
    const email = newAddress()
    const [hash, other] = [await links.newLink(email), await links.newLink(email)]
    const foreign = await links.newLink(newAddress())
    expect((await links.complete(hash)).status).toBe(200)
    for (const used of [hash, other]) {
      expect(await links.read(used)).toBeNull()
      expect(summaryOf(await links.complete(used))).toBe(invalidLink)
    }
    expect((await links.complete(foreign)).status).toBe(200)
  })

  test('works until it expires', async () => {
    service.clock.stop()
    const email = newAddress()
    const [early, late] = [await links.newLink(email, 100), await links.newLink(newAddress(), 100)]
    service.clock.offsetSeconds += 99
    expect((await links.complete(early)).status).toBe(200)
    service.clock.offsetSeconds += 1
    expect(await links.read(late)).toBeNull()
    expect(summaryOf(await links.complete(late))).toBe(invalidLink)
  })

  test('that was never issued is refused without details', async () => {
    const hash = hashCredential(createSessionToken())
    expect(await links.read(hash)).toBeNull()
    expect((await links.complete(hash)).body).toEqual({
      _tag: 'Unprocessable',
      success: false,
      errors: [
        {
          code: 42211,
          message: 'The link is invalid, already used or expired. Request a new one.',
          metadata: { doc_url: '/docs/errors#42211' },
        },
      ],
      result: {},
    })
  })

  test.each(['', 'seven 7', 'x'.repeat(201)])(
    'refuses the password %j, and the link stays valid',
    async chosen => {
      const hash = await links.newLink(newAddress())
      expect(summaryOf(await links.complete(hash, chosen))).toBe('400 40002 password')
      expect((await links.complete(hash)).status).toBe(200)
    },
  )

  const many = sized(8, 20)
  test(`${many} times at once, and ${many} links of one address at once, opens one session`, async () => {
    for (let round = 0; round < sized(2, 3); round++) {
      const email = newAddress()
      const link = await links.newLink(email)
      const others = await Promise.all(Array.from({ length: many - 1 }, () => links.newLink(email)))
      const hashes = round % 2 ? [link, ...others] : Array.from({ length: many }, () => link)
      const answers = await Promise.all(hashes.map((hash, at) => links.complete(hash, `${password} ${at}`)))
      expect(answers.map(summaryOf).sort()).toEqual([
        '200',
        ...Array.from({ length: many - 1 }, () => invalidLink),
      ])
      const won = answers.findIndex(({ status }) => status === 200)
      expect((await links.signIn(email, `${password} ${won}`)).status).toBe(200)
      const sessions =
        await service.sql`select from auth_tokens.sessions s join auth_tokens.users u on u.id = s.user_id
        where u.email = ${email}`
      expect(sessions).toHaveLength(2)
      if (round % 2 === 0) expect(await links.read(others[0] as string)).toBeNull()
    }
  })
})
