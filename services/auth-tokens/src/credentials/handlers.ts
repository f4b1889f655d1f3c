import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handlers } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { resolveCredentials } from './resolve-credentials.ts'

export const credentialsHandlers = {
  resolve_credentials: resolveCredentials,
} satisfies Partial<Handlers<typeof authTokens, Deps>>
