import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { ciAttemptDays, maxCiAttempts } from '@svc/contract/auth-tokens/ci-trusts'
import type { Handler } from '@svc/contract/core/operation'
import { type Claims, suggestedClaims } from '@svc/runtime/trusted-workloads'
import type { Deps } from '../deps.ts'

interface AttemptRow {
  readonly id: string
  readonly issuer: string
  readonly claims: Claims
  readonly attempted_at: number
}

export const listCiAttempts: Handler<typeof authTokens.operations.list_ci_attempts, Deps> = async (
  _input,
  { workspace },
  { sql, now, workloads },
) => {
  const attempts = await sql<AttemptRow>`/* auth_tokens.list_ci_attempts */
    select id, issuer, claims, unix_seconds(attempted_at) as attempted_at
    from ci_attempts
    where workspace_id = ${workspace}
      and attempted_at > to_timestamp(${Math.floor(now() / 1000)}) - make_interval(days => ${ciAttemptDays})
    order by attempted_at desc, id desc
    limit ${maxCiAttempts}`
  const data = attempts.map(attempt => {
    const workload = workloads.find(({ issuer }) => issuer === attempt.issuer)
    return { ...attempt, suggested_claims: workload ? suggestedClaims(workload, attempt.claims) : [] }
  })
  const issuers = workloads.map(({ issuer, name, must_pin }) => ({ issuer, name, must_pin }))
  return { body: { data, issuers } }
}
