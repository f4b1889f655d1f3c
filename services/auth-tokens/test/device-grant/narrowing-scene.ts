/** What credentials may that were approved or exchanged, as a gateway finds it. */
import type { Caller } from '@svc/contract/core/caller'
import type { Permission } from '@svc/contract/core/permissions'
import { refuseCaller } from '@svc/contract/core/refuse-caller'
import { operations } from '@svc/contract/services'
import { hashCredential } from '@svc/runtime/credential'
import { createLog } from '@svc/runtime/log'
import { insertMember } from '@svc/testing/members'
import { createResolvers } from '../../../gateway/src/edge/admit/credentials.ts'
import { createIssuers } from '../../../gateway/src/edge/jwt/issuers.ts'
import { createVerifyToken } from '../../../gateway/src/edge/jwt/verify-token.ts'
import { internal, type RunningService } from '../running-service.ts'
import { client_id, newPerson, origin, userCodeHash } from './device-scene.ts'

/** Names of the operations that admit the caller. */
export const may = (caller: Caller): string[] =>
  operations.flatMap(({ name, operation }) =>
    operation.http && refuseCaller(operation, caller) === undefined ? [name] : [],
  )

/** Verifies and narrows as a gateway does, on the clock of the service. */
export function gatewayOf({ call, clock: { now } }: RunningService) {
  const log = createLog('test', 'silent')
  const issuers = createIssuers({ call, publicUrl: 'https://svc.test', trusted: [], now, log })
  const verifyToken = createVerifyToken({ issuers: issuers.byName, now, maxVerifying: 100 })
  return { ...createResolvers({ call, verifyToken, maxPending: 100 }), stop: issuers.stop }
}

export async function exchanged(service: RunningService, subject: string, scope?: Permission[]) {
  const body = { hash: hashCredential(subject), scope }
  return (await service.ask('exchange_session', internal(), { body })).body
}

async function newOwner(service: RunningService, workspace: string): Promise<Caller & { user: string }> {
  const person = await newPerson(service)
  await insertMember(service.sql, { workspace, user: person.user, role: 'owner' })
  return person
}

/** By a new owner of the workspace, or by `approver`. */
export async function approve(
  service: RunningService,
  workspace: string,
  asked: object,
  chosen: object,
  approver?: Caller,
) {
  const person = approver ?? (await newOwner(service, workspace))
  const started = await service.ask('start_device_grant', internal(), {
    body: { client_id, origin, ...asked },
  })
  const { device_code, user_code } = started.body as unknown as { device_code: string; user_code: string }
  await service.sql`delete from auth_tokens.attempts`
  const entered = await service.ask('enter_user_code', person, {
    body: { user_code_hash: userCodeHash(user_code) },
  })
  // A restricted session may not enter it.
  const grant_id = (entered.body.grant as { id: string } | undefined)?.id
  const decided = await service.ask('decide_device_grant', person, {
    body: { grant_id, decision: 'approved', ...chosen },
  })
  const polled = await service.ask('poll_device_grant', internal(), {
    body: { device_code_hash: hashCredential(device_code), client_id, origin },
  })
  // Its person confirms it once, as `svc` asks for.
  await service.sql`
    update auth_tokens.sessions set auth_time = to_timestamp(${service.clock.now() / 1000})
    where hash = decode(${hashCredential(String(polled.body.session_token))}, 'hex')`
  return { user: 'user' in person && person.user, decided: decided.body.outcome, ...polled.body } as Record<
    string,
    unknown
  >
}
