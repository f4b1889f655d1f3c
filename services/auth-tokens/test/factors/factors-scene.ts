/** Shared by the tests of second factors: people who have some. */
import { hashCredential } from '@svc/runtime/credential'
import { codeOf as shownCode, createAuthenticator } from '@svc/testing/authenticator'
import type { Answer, RunningService } from '../running-service.ts'
import { password } from '@svc/testing/password'
import { internal } from '../running-service.ts'
import { openSession, origin } from '../device-grant/device-scene.ts'
import { createPeople } from '../people-scene.ts'

export const site = 'https://svc.test'

export type Authenticator = ReturnType<typeof createAuthenticator>
type Options = { challenge?: unknown }

export function createFactors(service: RunningService) {
  const codeOf = (secret: string) => shownCode(secret, service.clock.now())

  async function newPerson() {
    const { email, user } = await createPeople(service).verified()
    return { email, user, session: await openSession(service, user) }
  }
  type Person = Awaited<ReturnType<typeof newPerson>>

  const start = (person: Person, kind: 'passkey' | 'totp', proof: object = { password }) =>
    service.ask('start_factor', person.session, { body: { kind, proof } })
  const optionsOf = ({ body }: Answer) => body.options as Options

  return {
    newPerson,
    start,
    optionsOf,
    codeOf,
    /** The next code that counts: the clock moves on by a step. */
    nextCode(secret: string) {
      service.clock.offsetSeconds += 30
      return codeOf(secret)
    },
    list: async (person: Person) => (await service.ask('list_factors', person.session)).body,
    /** The request options for a proof by this session. */
    options: async (person: Person) => optionsOf(await service.ask('list_factors', person.session)),
    async addPasskey(person: Person, proof?: object, key = createAuthenticator(site)) {
      const passkey = key.create(optionsOf(await start(person, 'passkey', proof)))
      const answer = await service.ask('add_passkey', person.session, { body: { name: 'Test key', passkey } })
      return { key, answer, id: String(answer.body.id), codes: answer.body.recovery_codes as string[] }
    },
    async addTotp(person: Person, proof?: object) {
      const { permit, sealed, secret } = (await start(person, 'totp', proof)).body
      const body = { permit, sealed, code: codeOf(String(secret)) }
      const answer = await service.ask('add_totp', person.session, { body })
      return { answer, secret: String(secret), codes: answer.body.recovery_codes as string[] }
    },
    remove: (person: Person, id: string, proof: object) =>
      service.ask('remove_factor', person.session, { body: { id, proof } }),
    signIn: ({ email }: Person, browser_hashes?: string[]) =>
      service.ask('sign_in', internal(), { body: { email, password, origin, browser_hashes } }),
    /** A pending sign-in of a person who has a factor. */
    async pending({ email }: Person) {
      const { body } = await service.ask('sign_in', internal(), { body: { email, password, origin } })
      const hash = hashCredential(String(body.token))
      const read = () => service.ask('read_pending_sign_in', internal(), { body: { hash } })
      return { ...body, hash, read, options: async () => optionsOf(await read()) }
    },
    complete: (hash: string | undefined, proof: object, browser_hashes?: string[]) =>
      service.ask('complete_sign_in', internal(), { body: { hash, proof, origin, browser_hashes } }),
    async eventsOf({ user }: Person) {
      const rows = await service.sql`
        select subject from auth_tokens.outbox where aggregate_id = ${user} and subject like 'events.factors.%'
        order by sequence`
      return rows.map(({ subject }) => String(subject).slice('events.factors.'.length))
    },
    async mailOf({ email }: Person) {
      const rows = await service.sql`
        select details ->> 'change' as change from auth_tokens.messages
        where email = ${email} and notice = 'factor_changed' order by created_at, id`
      return rows.map(({ change }) => change)
    },
  }
}
