/** Whose API token it is: one look-up by its SHA-256 for every request, nothing remembered. */
import { hash } from 'node:crypto'
import type { Pool } from './pool.ts'

export interface Caller {
  readonly id: string
  readonly workspace: string
}

const bearer = /^Bearer (sk_svc_[0-9A-Za-z]{40})$/i

/** @param authorization the header, as it came */
export async function findCaller(pool: Pool, authorization: string | undefined): Promise<Caller | undefined> {
  const token = bearer.exec(authorization ?? '')?.[1]
  if (!token) return undefined
  const sql = pool.next()
  const [caller] = await sql<Caller[]>`
    select id, workspace_id as workspace from auth_tokens.api_tokens
    where hash = ${hash('sha256', token, 'buffer')} and (expires_at is null or expires_at > now())`
  return caller
}
