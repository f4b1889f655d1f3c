import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handlers } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { holdLeases } from './hold-leases.ts'

export const leasesHandlers = {
  hold_leases: holdLeases,
} satisfies Partial<Handlers<typeof authTokens, Deps>>
