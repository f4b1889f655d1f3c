/**
 * Challenges are sealed for what they are for, so that showing one writes nothing. The statement that accepts one notes
 * it as used.
 */
import { randomUUID } from 'node:crypto'
import { pendingSignInSeconds } from '@svc/contract/auth-tokens/factors'
import { hashCredential } from '@svc/runtime/credential'
import type { Seal } from '@svc/runtime/seal'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'

type Permission = 'password' | 'factor' | 'nothing'

export interface Challenge {
  readonly hash: string
  /** What was proven before. */
  readonly permitted_by: Permission
  /** Unix seconds. */
  readonly expires_at: number
}

interface Sealing {
  readonly seal: Seal
  readonly now: () => number
}

const contextOf = (purpose: string) => `challenge ${purpose}`

/** @param purpose includes whom and which browser it is for */
export const newChallenge = (
  purpose: string,
  { seal, now }: Sealing,
  permitted_by: Permission = 'nothing',
): string =>
  seal.seal(
    `${Math.floor(now() / 1000) + pendingSignInSeconds} ${permitted_by} ${randomUUID()}`,
    contextOf(purpose),
  )

/** @returns undefined: it has expired, is for something else, or is not ours */
export function openChallenge(text: string, purpose: string, { seal, now }: Sealing): Challenge | undefined {
  try {
    const unsealed = seal.unseal(text, contextOf(purpose))
    const [end, permitted_by] = unsealed.split(' ')
    const expires_at = Number(end)
    if (expires_at <= now() / 1000) return undefined
    return { hash: hashCredential(unsealed), expires_at, permitted_by: permitted_by as Permission }
  } catch {
    return undefined
  }
}

/** Rows only for the first who uses it. `from` has a row if it may be used. */
export const useChallenge = ({ hash, expires_at }: Challenge, from: Fragment): Fragment => fragment`
  insert into used_challenges (hash, expires_at)
  select decode(${hash}, 'hex'), to_timestamp(${expires_at}) from ${from}
  on conflict do nothing returning hash`

/** @param browser the id of its session, or the hash of its pending sign-in */
export const provingBy = (browser: string): string => `prove ${browser}`
/** For a sign-in with a passkey alone. */
export const provingAnew = 'prove'
export const addingBy = (session: string): string => `add ${session}`
