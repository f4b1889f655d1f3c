/** Links that prove an address: asked for, followed once, and what they are good for. */
import { waitUntil } from '@svc/local/wait-until'
import { createSessionToken, hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAddress, type People, type Person, createPeople, told } from './people-scene.ts'
import { type RunningService, internal, runService } from './running-service.ts'

let service: RunningService
let people: People
beforeAll(async () => {
  service = await runService()
  people = createPeople(service)
})
afterAll(() => service.stop())

const origin = { address: '192.0.2.7', user_agent: 'test' }
const password = 'a good long password'
const invalid = '422 42211'

/** As the sender of messages leaves it behind. */
async function newLink(email: string, lifetimeSeconds = 86_400) {
  const hash = hashCredential(createSessionToken())
  const now = service.clock.seconds()
  await service.sql`insert into auth_tokens.verifications (hash, email, created_at, expires_at)
    values (decode(${hash}, 'hex'), ${email}, to_timestamp(${now}), to_timestamp(${now + lifetimeSeconds}))`
  return hash
}

const read = async (hash: string) =>
  (await service.ask('read_verification', internal(), { body: { hash } })).body.email
const complete = (hash: string, chosen = password) =>
  service.ask('complete_verification', internal(), { body: { hash, password: chosen, origin } })
const signIn = (email: string, chosen = password) =>
  service.ask('sign_in', internal(), { body: { email, password: chosen, origin } })
let requests = 0
/** Each time from another address unless told. */
const request = (email: string, address = `2001:db8:0:${(requests++).toString(16)}::1`) =>
  service.ask('request_verification', internal(), { body: { email, origin: { ...origin, address } } })

/** A device grant that the person with this address has approved, and whose code was not used yet. */
async function approvedGrant(email: string) {
  const { body } = await complete(await newLink(email))
  const caller = { kind: 'session', id: String(body.id), user: String(await userOf(body.token)) } as Person
  const client_id = 'svc-cli'
  const { body: grant } = await service.ask('start_device_grant', internal(), { body: { client_id, origin } })
  const user_code_hash = hashCredential(String(grant.user_code).replace('-', ''))
  const { body: entered } = await service.ask('enter_user_code', caller, { body: { user_code_hash } })
  const grant_id = (entered.grant as { id: string }).id
  await service.ask('decide_device_grant', caller, { body: { grant_id, decision: 'approved' } })
  const device_code_hash = hashCredential(String(grant.device_code))
  return {
    poll: (from = origin) =>
      service.ask('poll_device_grant', internal(), { body: { device_code_hash, client_id, origin: from } }),
  }
}

async function userOf(token: unknown) {
  const lookups = [{ kind: 'session', hash: hashCredential(String(token)) }]
  const { body } = await service.ask('resolve_credentials', internal(), { body: { lookups } })
  return (body.callers as ({ user: string } | null)[])[0]?.user
}

describe('following a link', () => {
  test('makes a verified user who can sign in, and opens a session', async () => {
    const email = newAddress()
    const hash = await newLink(email)
    expect(await read(hash)).toBe(email)
    expect(await read(hash)).toBe(email)
    const { status, body } = await complete(hash)
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        id: expect.stringMatching(/^sess_/),
        token: expect.stringMatching(/^[0-9A-Za-z]{32}$/),
        expires_at: service.clock.seconds() + 30 * 86_400,
      },
    })
    const [user] =
      await service.sql`select id, verified_at, password_hash from auth_tokens.users where email = ${email}`
    expect(user?.verified_at).toBeInstanceOf(Date)
    expect(user?.password_hash).toMatch(/^\$argon2id\$/)
    expect(await userOf(body.token)).toBe(user?.id)
    expect((await signIn(email)).status).toBe(200)
  })

  test('makes every invitation of the address take effect', async () => {
    const email = newAddress()
    const workspaces = await Promise.all([1, 2].map(() => service.newWorkspace()))
    for (const workspace of workspaces) {
      await people.add(workspace, await people.person(workspace, 'owner'), email, 'admin')
    }
    const { body } = await complete(await newLink(email))
    const user = String(await userOf(body.token))
    const caller = { kind: 'session', id: String(body.id), user } as Person
    const { body: list } = await service.ask('list_workspaces', caller)
    expect((list.data as { id: string; role: string }[]).map(({ id, role }) => `${id} ${role}`)).toEqual(
      [...workspaces]
        .sort()
        .reverse()
        .map(id => `${id} admin`),
    )
  })

  test('replaces a lost password, ends every session, and keeps the time of the first verification', async () => {
    const email = newAddress()
    const first = await complete(await newLink(email))
    const [before] = await service.sql`select id, verified_at from auth_tokens.users where email = ${email}`
    service.clock.offsetSeconds += 60
    const second = await complete(await newLink(email), 'another long password')
    expect(await userOf(first.body.token)).toBeUndefined()
    expect(await userOf(second.body.token)).toBe(before?.id)
    expect(told(await signIn(email))).toBe('401 40103')
    expect((await signIn(email, 'another long password')).status).toBe(200)
    const [after] = await service.sql`select id, verified_at from auth_tokens.users where email = ${email}`
    expect(after).toEqual(before)
  })

  test('works once, and ends every other link of the address', async () => {
    const email = newAddress()
    const [hash, other] = [await newLink(email), await newLink(email)]
    const foreign = await newLink(newAddress())
    expect((await complete(hash)).status).toBe(200)
    for (const used of [hash, other]) {
      expect(await read(used)).toBeNull()
      expect(told(await complete(used))).toBe(invalid)
    }
    expect((await complete(foreign)).status).toBe(200)
  })

  test('works to its end and no longer', async () => {
    const email = newAddress()
    const [early, late] = [await newLink(email, 100), await newLink(newAddress(), 100)]
    service.clock.offsetSeconds += 98
    expect((await complete(early)).status).toBe(200)
    service.clock.offsetSeconds += 3
    expect(await read(late)).toBeNull()
    expect(told(await complete(late))).toBe(invalid)
  })

  test('that nobody issued is refused without a word about it', async () => {
    const hash = hashCredential(createSessionToken())
    expect(await read(hash)).toBeNull()
    expect((await complete(hash)).body).toEqual({
      _tag: 'Unprocessable',
      success: false,
      errors: [{ code: 42211, message: 'The link is unknown, used or expired. Ask for another one.' }],
      result: {},
    })
  })

  test.each(['', 'seven 7', 'x'.repeat(201)])('refuses the password %j, and stays good', async chosen => {
    const hash = await newLink(newAddress())
    expect(told(await complete(hash, chosen))).toBe('400 40002 password')
    expect((await complete(hash)).status).toBe(200)
  })

  test('20 times at once, and 20 links of one address at once, opens one session', async () => {
    for (let round = 0; round < 3; round++) {
      const email = newAddress()
      const link = await newLink(email)
      const links = await Promise.all(Array.from({ length: 19 }, () => newLink(email)))
      const hashes = round % 2 ? [link, ...links] : Array.from({ length: 20 }, () => link)
      const answers = await Promise.all(hashes.map((hash, at) => complete(hash, `${password} ${at}`)))
      expect(answers.map(told).sort()).toEqual(['200', ...Array.from({ length: 19 }, () => invalid)])
      const won = answers.findIndex(({ status }) => status === 200)
      expect((await signIn(email, `${password} ${won}`)).status).toBe(200)
      const sessions =
        await service.sql`select from auth_tokens.sessions s join auth_tokens.users u on u.id = s.user_id
        where u.email = ${email}`
      expect(sessions).toHaveLength(2)
      if (round % 2 === 0) expect(await read(links[0] as string)).toBeNull()
    }
  })

  test('leaves no session of who signs in with the old password at the same time', async () => {
    for (let round = 0; round < 6; round++) {
      const email = newAddress()
      await complete(await newLink(email))
      const link = await newLink(email)
      const [reset, ...attempts] = await Promise.all([
        complete(link, 'another long password'),
        ...Array.from({ length: 8 }, () => signIn(email)),
      ])
      expect(reset?.status).toBe(200)
      for (const { status, body } of attempts)
        if (status === 200) expect(await userOf(body.token)).toBeUndefined()
      expect(await userOf(reset?.body.token)).toMatch(/^user_/)
    }
  })

  test('leaves no device grant that would still open a session', async () => {
    const email = newAddress()
    const { poll } = await approvedGrant(email)
    await complete(await newLink(email), 'another long password')
    expect((await poll()).body).toEqual({ outcome: 'invalid_grant' })
  })

  describe('while a session is being opened', () => {
    // The insert of a session with this user agent waits for whoever holds the lock.
    const slow = { ...origin, user_agent: 'slow' }
    beforeAll(() =>
      service.sql.unsafe(`
        create function auth_tokens.wait_if_slow() returns trigger language plpgsql as $$
        begin
          if new.user_agent = 'slow' then perform pg_advisory_xact_lock(4242); end if;
          return new;
        end $$;
        create trigger slow before insert on auth_tokens.sessions for each row execute function auth_tokens.wait_if_slow()
      `),
    )
    afterAll(() => service.sql.unsafe('drop function auth_tokens.wait_if_slow cascade'))

    const waiting = (count: number) => async () => {
      const rows = await service.sql`select from pg_stat_activity where datname = current_database()
        and application_name = 'svc' and wait_event_type = 'Lock'`
      return rows.length >= count
    }

    test.each<[string, (email: string) => Promise<() => Promise<unknown>>]>([
      [
        'by the old password',
        async email => {
          await complete(await newLink(email))
          return async () => {
            const body = { email, password, origin: slow }
            return (await service.ask('sign_in', internal(), { body })).body.token
          }
        },
      ],
      [
        'by a device grant',
        async email => {
          const { poll } = await approvedGrant(email)
          return async () => (await poll(slow)).body.session_token
        },
      ],
    ])('%s, waits for it and ends it', async (_, prepare) => {
      const email = newAddress()
      const open = await prepare(email)
      const link = await newLink(email)
      const holder = await service.sql.reserve()
      try {
        await holder`select pg_advisory_lock(4242)`
        const opening = open()
        await waitUntil('the insert', waiting(1))
        let answered = false
        const completing = complete(link, 'another long password').finally(() => {
          answered = true
        })
        await waitUntil('the completion', async () => answered || (await waiting(2)()))
        await holder`select pg_advisory_unlock(4242)`
        const token = await opening
        expect(token).toMatch(/^[0-9A-Za-z]{32}$/)
        const { body } = await completing
        expect(await userOf(token)).toBeUndefined()
        expect(await userOf(body.token)).toMatch(/^user_/)
      } finally {
        holder.release()
      }
    })
  })
})

describe('asking for a link', () => {
  const queued = (email: string) =>
    service.sql`select kind, email, workspace_id, invited_by from auth_tokens.messages where email = ${email}`

  test('answers the same for an address that is known and one that is not, and makes no user', async () => {
    const known = newAddress()
    await complete(await newLink(known))
    const unknown = newAddress()
    const answers = [await request(known.toUpperCase()), await request(unknown)]
    expect(answers[0]).toEqual({ status: 200, body: undefined })
    expect(answers[1]).toEqual(answers[0])
    for (const email of [known, unknown]) {
      const [message] = await queued(email)
      expect({ ...message }).toEqual({ kind: 'verification', email, workspace_id: null, invited_by: null })
    }
    expect(await service.sql`select from auth_tokens.users where email = ${unknown}`).toEqual([])
  })

  test.each(['known', 'unknown'])(
    'for an address that is %s goes three times in ten minutes, however many ask',
    async kind => {
      const email = newAddress()
      if (kind === 'known') await complete(await newLink(email))
      const answers = await Promise.all(Array.from({ length: 30 }, () => request(email)))
      expect(answers.map(told).sort()).toEqual([
        ...Array.from({ length: 3 }, () => '200'),
        ...Array.from({ length: 27 }, () => '429 42902'),
      ])
      expect(await queued(email)).toHaveLength(3)
      service.clock.offsetSeconds += 601
      expect((await request(email)).status).toBe(200)
    },
  )

  test('from one address goes 30 times in ten minutes', async () => {
    const from = '203.0.113.9'
    const answers = await Promise.all(Array.from({ length: 50 }, () => request(newAddress(), from)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30)
    expect((await request(newAddress())).status).toBe(200)
  })
})

describe('verifying by a program', () => {
  test('keeps the earlier time, and makes invitations take effect', async () => {
    const email = newAddress()
    const workspace = await service.newWorkspace()
    const { body: member } = await people.add(workspace, await people.person(workspace, 'owner'), email)
    const verify = () => service.ask('verify_user', internal(), { body: { email: email.toUpperCase() } })
    expect(await verify()).toEqual({ status: 200, body: { id: member.id } })
    expect((await people.memberships(workspace))[String(member.id)]).toEqual({ role: 'member', active: true })
    const time = () => service.sql`select verified_at from auth_tokens.users where email = ${email}`
    const before = await time()
    service.clock.offsetSeconds += 60
    await verify()
    expect(await time()).toEqual(before)
  })

  test('refuses an address that nobody has', async () => {
    const answer = await service.ask('verify_user', internal(), { body: { email: newAddress() } })
    expect(told(answer)).toBe('422 42201 email')
  })
})

describe('the first owner', () => {
  const create = (body: object) => service.ask('create_owner', internal(), { body })

  test('without a password gets a link to choose one', async () => {
    const email = newAddress()
    const { status, body } = await create({ email: email.toUpperCase(), workspace_name: 'Acme' })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        user_id: expect.stringMatching(/^user_/),
        workspace_id: expect.stringMatching(/^ws_/),
        link: expect.stringMatching(/^https:\/\/svc\.test\/verify\?token=[0-9A-Za-z]{32}$/),
      },
    })
    expect(await people.memberships(String(body.workspace_id))).toEqual({
      [String(body.user_id)]: { role: 'owner', active: true },
    })
    expect((await signIn(email)).status).toBe(401)
    const token = new URL(String(body.link)).searchParams.get('token') ?? ''
    service.clock.offsetSeconds += 86_390
    expect((await complete(hashCredential(token))).status).toBe(200)
    expect((await signIn(email)).status).toBe(200)
  })

  test('with a password can sign in at once, and is verified', async () => {
    const email = newAddress()
    const { body } = await create({ email, workspace_name: 'Acme', password })
    expect(Object.keys(body)).toEqual(['user_id', 'workspace_id'])
    expect((await signIn(email)).status).toBe(200)
    const [user] = await service.sql`select verified_at from auth_tokens.users where email = ${email}`
    expect(user?.verified_at).toBeInstanceOf(Date)
  })

  test('who exists keeps the password where none is given, and becomes owner of one workspace more', async () => {
    const email = newAddress()
    const first = await create({ email, workspace_name: 'One', password })
    const second = await create({ email, workspace_name: 'Two' })
    expect(second.body.user_id).toBe(first.body.user_id)
    expect(second.body.workspace_id).not.toBe(first.body.workspace_id)
    expect((await signIn(email)).status).toBe(200)
  })
})

describe('workspaces', () => {
  test('are created by a person, who owns them, and listed newest first by pages', async () => {
    const user = await service.newUser()
    const caller = { kind: 'session', id: newId('sess'), user } as Person
    const created: string[] = []
    for (let at = 0; at < 5; at++) {
      const { status, body } = await service.ask('create_workspace', caller, {
        body: { name: `Workspace ${at}` },
      })
      expect(status).toBe(201)
      expect(body).toEqual({
        id: expect.stringMatching(/^ws_/),
        name: `Workspace ${at}`,
        role: 'owner',
        created_at: service.clock.seconds(),
      })
      created.push(String(body.id))
      expect(await people.owners(String(body.id))).toBe(1)
    }
    // Not one to which the person is only invited.
    const elsewhere = await service.newWorkspace()
    await people.add(elsewhere, await people.person(elsewhere, 'owner'), `${user}@test.example`)
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body } = await service.ask('list_workspaces', caller, {
        query: { limit: '2', ...(cursor && { cursor }) },
      })
      seen.push(...(body.data as { id: string }[]).map(({ id }) => id))
      cursor = body.next_cursor as string | null
    }
    expect(seen).toEqual(created.sort().reverse())
  })

  test('of an API token are its own', async () => {
    const workspace = await service.newWorkspace()
    const token = { kind: 'api_token', id: newId('tok'), workspace, role: 'member' } as const
    const { body } = await service.ask('list_workspaces', token)
    expect(body).toEqual({
      data: [{ id: workspace, name: 'Test', role: 'member', created_at: expect.any(Number) }],
      next_cursor: null,
    })
    expect(told(await service.ask('create_workspace', token, { body: { name: 'n' } }))).toBe('403 40305')
  })

  test('are not for programs, nor for who does not exist', async () => {
    expect(told(await service.ask('list_workspaces', internal()))).toBe('403 40305')
    expect(told(await service.ask('create_workspace', internal(), { body: { name: 'n' } }))).toBe('403 40305')
    const nobody = { kind: 'session', id: newId('sess'), user: newId('user') } as Person
    expect((await service.ask('create_workspace', nobody, { body: { name: 'n' } })).status).toBe(401)
  })
})
