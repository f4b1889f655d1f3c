import { changeConnectionString } from './connection/connection-string.ts'
import { sqlstate } from './sqlstate.ts'

export interface Passwords {
  readonly DATABASE_URL: string
  /**
   * Tried if PostgreSQL refuses the one in the URL: a role has one password, and its replicas change theirs one by
   * one.
   */
  readonly DATABASE_SECOND_PASSWORD?: string
}

const invalidPassword = '28P01'

/**
 * Opens with whichever password the database accepts.
 *
 * @param open connects by the URL, and throws PostgreSQL's error if it is refused
 */
export async function withEitherPassword<T>(
  { DATABASE_URL, DATABASE_SECOND_PASSWORD: second }: Passwords,
  open: (url: string) => Promise<T>,
): Promise<T> {
  try {
    return await open(DATABASE_URL)
  } catch (error) {
    if (second === undefined || sqlstate(error) !== invalidPassword) throw error
    return open(changeConnectionString(DATABASE_URL, { password: second }))
  }
}
