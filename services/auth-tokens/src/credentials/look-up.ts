/** Looks credentials up by hash only, on the primary, so that every answer is current. */
import type { CredentialLookup } from '@svc/contract/auth-tokens/credential-lookup'
import type { Role } from '@svc/contract/core/caller'
import { type Asked, coalesceStatements } from '@svc/runtime/coalesce-statements'
import type { Database, Sql } from '@svc/runtime/database'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'
import { hasFactor } from '../factors/has-factor.ts'
import { authTime, hasProvenFactor } from '../sessions/proof.ts'
import { endOfSession, isAlive } from '../sessions/session-lifetime.ts'

/** The look-ups of one message, as of `seconds` (Unix). */
export interface Question extends Asked {
  readonly lookups: readonly CredentialLookup[]
  readonly seconds: number
}

export interface Found {
  readonly token_id: string | null
  readonly token_workspace: string | null
  readonly session_id: string | null
  readonly session_hash?: string | null
  readonly user_id: string | null
  readonly name: string | null
  /** The workspace that a session is bound to. */
  readonly bound_to: string | null
  /** The time that a session was granted for. */
  readonly granted_until: number | null
  readonly role: Role | null
  readonly token_creator: string | null
  readonly ci_trust: string | null
  readonly ends_at: number | null
  readonly can: string | null
  readonly allowed_addresses: string[] | null
  readonly auth_time: number | null
  readonly factor_missing: boolean | null
}

export type LookUp = (question: Question) => Promise<Found[]>

export const createLookUp = (database: Database): LookUp =>
  coalesceStatements<Question, Found[]>(
    database,
    async (sql, questions) => {
      const lookups = questions.flatMap(question => question.lookups)
      const seconds = Math.max(...questions.map(question => question.seconds))
      const rest = await findAll(sql, lookups, seconds)
      return questions.map(({ lookups: own }) => rest.splice(0, own.length))
    },
    { name: 'credential_reads', maxBatch: 8 },
  )

/**
 * Nearly every credential is a token or a session with its current secret, so a separate statement looks these up
 * first. A secret that was rotated before it is in `retired_secrets` by then.
 */
async function findAll(sql: Sql, lookups: readonly CredentialLookup[], seconds: number): Promise<Found[]> {
  const found = lookups.some(isHashed) ? await findByHash(sql, lookups, seconds) : lookups.map(() => nobody)
  const open = lookups.flatMap((lookup, at) => (lookup.kind === 'session' || found[at]?.token_id ? [] : [at]))
  if (open.length === 0) return found
  const others = await findOtherwise(
    sql,
    open.map(at => lookups[at] as CredentialLookup),
    seconds,
  )
  for (const [n, at] of open.entries()) found[at] = others[n] ?? nobody
  return found
}

export const nobody: Found = {
  token_id: null,
  token_workspace: null,
  session_id: null,
  user_id: null,
  name: null,
  bound_to: null,
  granted_until: null,
  role: null,
  token_creator: null,
  ci_trust: null,
  ends_at: null,
  can: null,
  allowed_addresses: null,
  auth_time: null,
  factor_missing: null,
}

const narrowed = fragment`case when t.ends_with_creator then t.created_by end as token_creator, t.ci_trust_id as ci_trust,
    case when t.id is null then s.can else t.can end as can, to_json(t.allowed_addresses) as allowed_addresses,
    s.workspace_id as bound_to, unix_seconds(s.ends_at) as granted_until`

/** A JWT of a token is valid as long as its key. */
const isSigned = fragment`(l.kid is null or exists (select from signing_keys g where g.kid = l.kid))`

/**
 * A person who has a second factor has proved nothing without it. Scalar subqueries: look-ups of API tokens do without
 * them.
 */
const proofOf = (person: Fragment, time: Fragment, proven: Fragment, counts: Fragment): Fragment => fragment`
  case when ${person} is not null then
    coalesce(case when ${proven} or not ${hasFactor(person)} then unix_seconds(${time}) end, 0)
  end as auth_time,
  case when m.role is not null then
    (select w.require_second_factor from workspaces w where w.id = m.workspace_id) and not ${counts}
  end as factor_missing`

const sessionCounts = (person: Fragment) => fragment`(${hasProvenFactor} and ${hasFactor(person)})`

const isHashed = ({ kind }: CredentialLookup) => kind === 'api_token' || kind === 'session'

const findByHash = (
  sql: Sql,
  lookups: readonly CredentialLookup[],
  seconds: number,
) => sql<Found>`/* auth_tokens.find_credentials */
  select t.id as token_id, t.workspace_id as token_workspace, ${narrowed}, s.id as session_id, s.user_id, m.role,
    coalesce(t.name, u.email) as name,
    case when t.id is null then ${endOfSession} else unix_seconds(t.expires_at) end as ends_at,
    ${proofOf(fragment`s.user_id`, authTime, hasProvenFactor, sessionCounts(fragment`s.user_id`))}
  from unnest(
    ${lookups.map(({ kind }) => kind)}::text[],
    ${lookups.map(lookup => ('hash' in lookup ? lookup.hash : null))}::text[],
    ${lookups.map(keyOf)}::text[],
    ${lookups.map(({ context }) => context ?? null)}::text[]
  ) with ordinality as l (kind, hash, kid, context, ordinal)
  left join api_tokens t on l.kind = 'api_token' and t.hash = decode(l.hash, 'hex')
    and (t.expires_at is null or t.expires_at > to_timestamp(${seconds})) and ${isSigned}
  left join sessions s on l.kind = 'session' and s.hash = decode(l.hash, 'hex')
    and ${isAlive(seconds)}
  left join users u on u.id = s.user_id
  left join memberships m on m.user_id = s.user_id and m.workspace_id = coalesce(s.workspace_id, l.context)
  order by l.ordinal`

const findOtherwise = (
  sql: Sql,
  lookups: readonly CredentialLookup[],
  seconds: number,
) => sql<Found>`/* auth_tokens.find_other_credentials */
  select t.id as token_id, t.workspace_id as token_workspace, ${narrowed}, s.id as session_id,
    encode(s.hash, 'hex') as session_hash, p.id as user_id, m.role,
    coalesce(t.name, p.email) as name,
    case when t.id is null then ${endOfSession} else unix_seconds(least(t.expires_at, r.expires_at)) end as ends_at,
    ${proofOf(
      fragment`p.id`,
      fragment`coalesce(${authTime}, to_timestamp(l.auth_time))`,
      fragment`(${hasProvenFactor} or l.factor is not null)`,
      fragment`(${sessionCounts(fragment`p.id`)} or l.factor is not null)`,
    )}
  from unnest(
    ${lookups.map(({ kind }) => kind)}::text[],
    ${lookups.map(lookup => ('hash' in lookup ? lookup.hash : null))}::text[],
    ${lookups.map(subjectOf)}::text[],
    ${lookups.map(keyOf)}::text[],
    ${lookups.map(({ context }) => context ?? null)}::text[],
    ${lookups.map(lookup => ('auth_time' in lookup ? lookup.auth_time : null))}::bigint[],
    ${lookups.map(lookup => ('with_factor' in lookup ? 'mfa' : null))}::text[]
  ) with ordinality as l (kind, hash, subject, kid, context, auth_time, factor, ordinal)
  left join retired_secrets r on l.kind = 'api_token' and r.hash = decode(l.hash, 'hex')
    and r.expires_at > to_timestamp(${seconds}) and ${isSigned}
  left join api_tokens t on t.id = r.token_id and (t.expires_at is null or t.expires_at > to_timestamp(${seconds}))
  left join signing_keys k on l.kind = 'jwt' and k.kid = l.kid
  left join sessions s on k.kid is not null and s.id = l.subject
    and ${isAlive(seconds)}
  left join users u on l.kind = 'outside' and u.email = l.subject and u.verified_at is not null
  left join users p on p.id = coalesce(s.user_id, u.id)
  left join memberships m on m.user_id = p.id and m.workspace_id = coalesce(s.workspace_id, l.context)
  order by l.ordinal`

const keyOf = (lookup: CredentialLookup) => ('kid' in lookup && lookup.kid) || null

const subjectOf = (lookup: CredentialLookup) =>
  lookup.kind === 'jwt' ? lookup.session : lookup.kind === 'outside' ? lookup.email : null
