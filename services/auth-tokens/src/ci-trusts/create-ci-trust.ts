import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { ScopedCaller } from '@svc/contract/core/caller'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { permissionsIn } from '@svc/contract/core/permissions'
import { type CreatedRow, createdOrReplayed, creationKey, orCreated } from '@svc/runtime/creation-key'
import { newId } from '@svc/runtime/id'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import { type Claims, missingClaims, type TrustedWorkload } from '@svc/runtime/trusted-workloads'
import { maskOfWanted, refuseOutliving, refuseToGrant } from '../api-tokens/narrowing.ts'
import type { Deps } from '../deps.ts'
import { ciTrustColumns, ciTrustRecord, type CiTrustRow } from './ci-trust.ts'

export const createCiTrust: Handler<typeof authTokens.operations.create_ci_trust, Deps> = async (
  { headers, body },
  caller,
  { sql, now, workloads, eventWritten, call },
) => {
  const { name, issuer, claims, minutes } = body
  refuseWide(workloads, issuer, claims)
  const can = maskOfWanted(body.permissions)
  refuseToGrant(caller, can)
  refuseOutliving(caller)
  const key = creationKey(headers, { ...body, permissions: can })
  const id = newId('trust')
  const [row] = await sql<CiTrustRow & CreatedRow>`/* auth_tokens.create_ci_trust */
    with created as (
      insert into ci_trusts (
        id, workspace_id, name, issuer, claims, can, minutes, created_by, created_at, creation_key, creation_intent
      )
      values (
        ${id}, ${caller.workspace}, ${name}, ${issuer}, ${sql.json(claims)}, ${can}, ${minutes}, ${personOf(caller)},
        to_timestamp(${Math.floor(now() / 1000)}), ${key.key}, ${key.intent}
      )
      ${orCreated}
      returning *
    ), event as (
      ${intoOutbox(call.by)}
      id, 'events.ci_trusts.created', jsonb_build_object(
        'workspace_id', workspace_id, 'issuer', issuer, 'permissions', ${sql.json(permissionsIn(can))}::jsonb
      )
      from created where id = ${id}
    )
    select ${ciTrustColumns}, creation_intent from created`
  if (!row) throw refusal('not_a_member')
  const { resource, headers: replied } = createdOrReplayed(row, id, key)
  eventWritten()
  return { body: ciTrustRecord(resource), headers: replied }
}

const personOf = (caller: ScopedCaller) => ('user' in caller ? caller.user : null)

function refuseWide(workloads: readonly TrustedWorkload[], issuer: string, claims: Claims): void {
  const workload = workloads.find(one => one.issuer === issuer)
  if (!workload) {
    throw refusal('unknown_reference', {
      path: ['issuer'],
      message: `issuer must be one that is trusted here: ${workloads.map(one => one.issuer).join(', ') || 'there is none'}.`,
    })
  }
  const missing = missingClaims(workload, claims).join(', ')
  if (missing === '') return
  throw refusal('claims_too_wide', {
    path: ['claims'],
    message: `claims must also pin ${missing}.`,
    metadata: { missing },
  })
}
