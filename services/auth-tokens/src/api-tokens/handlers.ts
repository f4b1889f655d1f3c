import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handlers } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { createApiToken } from './create-api-token.ts'
import { listApiTokens } from './list-api-tokens.ts'
import { revokeApiToken } from './revoke-api-token.ts'
import { rotateApiToken } from './rotate-api-token.ts'

export const apiTokensHandlers = {
  create_api_token: createApiToken,
  list_api_tokens: listApiTokens,
  rotate_api_token: rotateApiToken,
  revoke_api_token: revokeApiToken,
} satisfies Partial<Handlers<typeof authTokens, Deps>>
