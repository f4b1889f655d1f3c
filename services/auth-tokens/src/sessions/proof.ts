/** How and when the person proved who they are in a session `s` (docs/specification.md, R93). */
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'

export const authTime = fragment`coalesce(s.auth_time, s.created_at)`

/** Null: from before it was kept, when there was only the password. */
export const methods = fragment`coalesce(s.amr, '{pwd}')`

export const hasProvenFactor = fragment`('mfa' = any (${methods}))`

/** @param at Unix seconds */
export const waitsWith = (codeHash: string, at: number): Fragment => fragment`
  s.confirmation_hash = decode(${codeHash}, 'hex') and s.confirmation_expires_at > to_timestamp(${at})`
