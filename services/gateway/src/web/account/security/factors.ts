import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { z } from 'zod'
import type { Ways } from './proof.tsx'

export type Factors = z.output<typeof authTokens.operations.list_factors.output>

export const hasFactor = ({ passkeys, totp }: Factors): boolean => passkeys.length > 0 || totp !== null

/** How the person proves a factor; undefined: they have none. */
export const waysOf = (factors: Factors): Ways | undefined =>
  hasFactor(factors) ? { options: factors.options, has_totp: factors.totp !== null } : undefined
