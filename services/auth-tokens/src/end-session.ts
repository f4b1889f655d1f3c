import type { authTokens } from '@svc/contract/auth-tokens'
import { refusal } from '@svc/contract/errors'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'
import { personOf } from './person.ts'

/** The row is gone when the reply is sent, and every look-up reads the table; its JWTs are dead with it. */
export const endSession: Handler<typeof authTokens.operations.end_session, Deps> = async (
  { params },
  caller,
  { sql },
) => {
  const id = params.id === 'current' ? caller.id : params.id
  const [ended] = await sql`
    delete from sessions where user_id = ${personOf(caller)} and id = ${id} returning id`
  if (!ended) throw refusal('not_found', { path: ['id'], message: 'You have no such session.' })
  return { body: undefined }
}
