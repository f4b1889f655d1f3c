import { invoke } from '@svc/bus/invoke'
import { activity } from '@svc/contract/activity/activity'
import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { compute } from '@svc/contract/compute/compute'
import { rateLimitUse } from '@svc/contract/auth-tokens/limits'
import { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { type QuotaName, quotas } from '@svc/contract/core/quotas'
import { listQuotas } from '@svc/runtime/quotas'
import * as z from 'zod'
import type { Deps } from '../deps.ts'

const rateUse = z.array(rateLimitUse)

/** Each service counts its own rows; they are asked concurrently. */
export const getLimits: Handler<typeof authTokens.operations.get_limits, Deps> = async (
  _input,
  { workspace },
  { sql, call, callBus },
) => {
  const { deadline, request_id: requestId, rate_use } = call
  const asked = { caller: { kind: 'internal', id: 'auth-tokens', workspace }, deadline, requestId } as const
  const [own, ...others] = await Promise.all([
    listQuotas(sql, 'auth-tokens', workspace),
    invoke(callBus, offers, 'list_quotas', asked),
    invoke(callBus, compute, 'list_quotas', asked),
    invoke(callBus, activity, 'list_quotas', asked),
  ])
  const used = [...own, ...others.flatMap(({ data }) => data)]
  return {
    body: {
      rate_limits: rate_use ? rateUse.parse(JSON.parse(rate_use)) : [],
      quotas: used
        .map(one => ({ ...one, counts: quotas[one.quota as QuotaName].counts }))
        .sort((a, b) => (a.quota < b.quota ? -1 : 1)),
    },
  }
}
