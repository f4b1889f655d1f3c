import type { activity } from '@svc/contract/activity/activity'
import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { compute } from '@svc/contract/compute/compute'
import type { offers } from '@svc/contract/offers/offers'
import type { z } from 'zod'

type Operations = typeof offers.operations &
  typeof authTokens.operations &
  typeof compute.operations &
  typeof activity.operations

export type Answer<Name extends keyof Operations> = Operations[Name] extends { output: z.ZodType }
  ? z.output<Operations[Name]['output']>
  : undefined

export type Item<Name extends keyof Operations> =
  Answer<Name> extends { data: readonly (infer One)[] } ? One : never
