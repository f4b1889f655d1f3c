import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { z } from 'zod'

export type Factors = z.output<typeof authTokens.operations.list_factors.output>

export const hasFactor = ({ passkeys, totp }: Factors): boolean => passkeys.length > 0 || totp !== null
