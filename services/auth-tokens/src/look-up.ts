/** Credentials looked up by hash alone, on the primary: no answer is older than its question. */
import type { CredentialLookup } from '@svc/contract/auth-tokens'
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
        select t.id as token_id, t.workspace_id as token_workspace, s.id as session_id, s.user_id, m.role
        from unnest(
          ${lookups.map(({ kind }) => kind)}::text[],
          ${lookups.map(({ hash }) => hash)}::text[],
          ${lookups.map(({ context }) => context ?? null)}::text[]
        ) with ordinality as l (kind, hash, context, place)
        left join api_tokens t on l.kind = 'api_token' and t.hash = decode(l.hash, 'hex')
          and (t.expires_at is null or t.expires_at > to_timestamp(${seconds}))
        left join sessions s on l.kind = 'session' and s.hash = decode(l.hash, 'hex')
          and s.expires_at > to_timestamp(${seconds})
          and s.created_at > to_timestamp(${seconds - absoluteLifetimeSeconds})
        left join memberships m on m.user_id = s.user_id and m.workspace_id = l.context
        order by l.place`
      const rest = [...rows]
      return questions.map(({ lookups: own }) => rest.splice(0, own.length))
    },
    { maxBatch: 8 },
  )
