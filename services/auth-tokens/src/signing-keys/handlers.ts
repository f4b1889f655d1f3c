import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handlers } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { exchangeSession } from './exchange-session.ts'
import { listSigningKeys } from './list-signing-keys.ts'
import { removeSigningKey } from './remove-signing-key.ts'
import { reseal } from './reseal.ts'
import { rotateSigningKeys } from './rotate-signing-keys.ts'

export const signingKeysHandlers = {
  exchange_session: exchangeSession,
  list_signing_keys: listSigningKeys,
  rotate_signing_keys: rotateSigningKeys,
  reseal,
  remove_signing_key: removeSigningKey,
} satisfies Partial<Handlers<typeof authTokens, Deps>>
