/** Shared by tests of the device grant: started grants, and people who decide. */
import type { Caller } from '@svc/contract/core/caller'
import { hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import type { FrozenReplicas } from '../frozen-replicas.ts'
import type { RunningService } from '../running-service.ts'

export const origin = { address: '203.0.113.7', user_agent: 'svc-cli/1.0 (test)' }
export const client_id = 'svc-cli'

export interface Started {
  readonly device_code: string
  readonly user_code: string
}

/** User codes are looked up without the hyphens. */
export const userCodeHash = (user_code: string) => hashCredential(user_code.replaceAll('-', ''))

type Person = Extract<Caller, { user: string }>

export async function newPerson(service: RunningService): Promise<Person> {
  return openSession(service, await service.newUser())
}

/** Another session, alive by any clock. */
export async function openSession({ sql }: RunningService, user: string): Promise<Person> {
  const id = newId('sess')
  await sql`
    insert into auth_tokens.sessions (id, user_id, hash, created_at, expires_at)
    values (${id}, ${user}, sha256(${id}::bytea), '2100-01-01', '2100-01-01')`
  return { kind: 'session', id, user }
}

/** The steps of a grant, on replicas whose clock stands still. */
export function deviceSteps({ run }: FrozenReplicas) {
  const start = async (address = origin.address): Promise<Started> => {
    const grant = await run('start_device_grant', { client_id, origin: { ...origin, address } })
    if (grant.outcome !== 'started') throw new Error(grant.outcome)
    return grant
  }
  const poll = ({ device_code }: Started, by = client_id) =>
    run('poll_device_grant', { device_code_hash: hashCredential(device_code), client_id: by, origin })
  const pollOutcome = async (grant: Started, by?: string) => (await poll(grant, by)).outcome
  const enter = ({ user_code }: Started, person: Caller) =>
    run('enter_user_code', { user_code_hash: userCodeHash(user_code) }, person)
  const grantId = async (grant: Started, person: Caller): Promise<string> => {
    const entered = await enter(grant, person)
    if (entered.outcome !== 'found') throw new Error(entered.outcome)
    return entered.grant.id
  }
  const decide = (grant_id: string, decision: 'approved' | 'denied', person: Caller) =>
    run('decide_device_grant', { grant_id, decision }, person)
  const approve = async (grant: Started, person: Caller) =>
    decide(await grantId(grant, person), 'approved', person)
  return { start, poll, pollOutcome, enter, grantId, decide, approve }
}
