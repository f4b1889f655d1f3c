import type { Caller } from '@svc/contract/core/caller'
import { refusal } from '@svc/contract/core/errors'
import type { Deps } from '../deps.ts'
import { userPrincipal } from '../leases/principals.ts'
import { personOf } from '../people/person.ts'
import { boundsOf, bucketOf, tooManyAttempts } from './attempts.ts'
import { turnOf } from './passwords.ts'

export const provenBucket = (person: string): string => bucketOf('passwords_per_account', person)

interface Proven {
  readonly person: string
  readonly email: string
  /** The stored hash: the statement that follows changes nothing if it is another one by then. */
  readonly hash: string
}

/**
 * Proves that a signed-in person knows their password. Attempts have a budget of their own: strangers who guess at the
 * sign-in page do not use it up.
 */
export async function provePassword(
  caller: Caller,
  { password, path }: { password: string; path: string },
  { sql, now, passwords, refusals, recall, call }: Deps,
): Promise<Proven> {
  const person = personOf(caller)
  const bucket = provenBucket(person)
  const { most, seconds } = boundsOf(['passwords_per_account', bucket])
  const [asked] = await sql<{
    email: string
    password_hash: string | null
    wait: number
  }>`/* auth_tokens.prove_password */
    select u.email, u.password_hash, take_attempts(
      array[${bucket}::text], ${most}::bigint[], ${seconds}::bigint[], to_timestamp(${now() / 1000})
    ) as wait
    from users u where u.id = ${person}`
  if (!asked?.password_hash) {
    // Deleted by a process that may have died before its recall.
    await recall(userPrincipal(person))
    throw refusal('credential_invalid')
  }
  const { email, password_hash: hash, wait } = asked
  if (wait > 0) throw tooManyAttempts(wait)
  if (await passwords.verify(hash, password, call.deadline, turnOf(person, '')))
    return { person, email, hash }
  refusals.signIn('refused', person, call.by)
  throw wrongPassword(path)
}

export const wrongPassword = (path: string) =>
  refusal('invalid_body', { path: [path], message: 'Wrong password.' })
