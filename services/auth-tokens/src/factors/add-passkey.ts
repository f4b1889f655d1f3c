import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { newId } from '@svc/runtime/id'
import { fragment } from '@svc/runtime/sql-fragment'
import type { Deps } from '../deps.ts'
import { personOf } from '../people/person.ts'
import { addFactor } from './add-factor.ts'
import { addingBy } from './challenges.ts'
import { checkAttestation } from './passkeys.ts'

export const addPasskey: Handler<typeof authTokens.operations.add_passkey, Deps> = async (
  { body: { name, passkey } },
  caller,
  deps,
) => {
  personOf(caller)
  const made = await checkAttestation(passkey, addingBy(caller.id), deps)
  if (!made) throw refusal('factor_not_added')
  const { challenge, credential_id, public_key, counter, transports } = made
  const id = newId('pk')
  const insert = fragment`
    insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at)
    select ${id}, id, ${credential_id}, ${public_key}, ${counter}, ${transports}::text[], ${name}, to_timestamp(${deps.now() / 1000})`
  const recovery_codes = await addFactor({ kind: 'passkey', challenge, insert }, caller, deps)
  return { body: { id, recovery_codes } }
}
