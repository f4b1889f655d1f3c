import type { offers } from '@svc/contract/offers/offers'
import type { Handlers } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { reseal } from './reseal.ts'

export const sealingHandlers = {
  reseal,
} satisfies Partial<Handlers<typeof offers, Deps>>
