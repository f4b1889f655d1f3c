/** Credentials looked up by hash alone, on the primary: no answer is older than its question. */
import type { CredentialLookup } from '@svc/contract/credential-lookup'
import type { Role } from '@svc/contract/caller'
import { type Asked, coalesceStatements } from '@svc/runtime/coalesce-statements'
import type { Database } from '@svc/runtime/database'
import { absoluteLifetimeSeconds } from './session-lifetime.ts'

/** One message's look-ups, as of the time `seconds` (Unix). */
export interface Question extends Asked {
  readonly lookups: readonly CredentialLookup[]
  readonly seconds: number
}

export interface Found {
  readonly token_id: string | null
  readonly token_workspace: string | null
  readonly session_id: string | null
  readonly user_id: string | null
  readonly role: Role | null
}

/** Answers each look-up in its place; messages that arrive together share a statement. */
export type LookUp = (question: Question) => Promise<Found[]>

export const createLookUp = (database: Database): LookUp =>
  coalesceStatements<Question, Found[]>(
    database,
    async (sql, questions) => {
      const lookups = questions.flatMap(question => question.lookups)
      const seconds = Math.max(...questions.map(question => question.seconds))
      const rows = await sql<Found>`
        select t.id as token_id, t.workspace_id as token_workspace, s.id as session_id,
          coalesce(s.user_id, u.id) as user_id, m.role
        from unnest(
          ${lookups.map(({ kind }) => kind)}::text[],
          ${lookups.map(lookup => ('hash' in lookup ? lookup.hash : null))}::text[],
          ${lookups.map(subjectOf)}::text[],
          ${lookups.map(lookup => ('kid' in lookup ? lookup.kid : null))}::text[],
          ${lookups.map(({ context }) => context ?? null)}::text[]
        ) with ordinality as l (kind, hash, subject, kid, context, place)
        left join lateral (
          select id, workspace_id, expires_at from api_tokens where l.kind = 'api_token' and hash = decode(l.hash, 'hex')
          union all
          select old.id, old.workspace_id, least(old.expires_at, r.expires_at)
          from retired_secrets r join api_tokens old on old.id = r.token_id
          where l.kind = 'api_token' and r.hash = decode(l.hash, 'hex')
        ) t on t.expires_at is null or t.expires_at > to_timestamp(${seconds})
        left join lateral (
          select id, user_id, created_at, expires_at from sessions
          where l.kind = 'session' and hash = decode(l.hash, 'hex')
          union all
          select signed.id, signed.user_id, signed.created_at, signed.expires_at
          from sessions signed join signing_keys k on k.kid = l.kid
          where l.kind = 'jwt' and signed.id = l.subject
        ) s on s.expires_at > to_timestamp(${seconds})
          and s.created_at > to_timestamp(${seconds - absoluteLifetimeSeconds})
        left join users u on l.kind = 'outside' and u.email = l.subject and u.verified_at is not null
        left join memberships m on m.user_id = coalesce(s.user_id, u.id) and m.workspace_id = l.context and m.active
        order by l.place`
      const rest = [...rows]
      return questions.map(({ lookups: own }) => rest.splice(0, own.length))
    },
    { maxBatch: 8 },
  )

const subjectOf = (lookup: CredentialLookup) =>
  lookup.kind === 'jwt' ? lookup.session : lookup.kind === 'outside' ? lookup.email.toLowerCase() : null
