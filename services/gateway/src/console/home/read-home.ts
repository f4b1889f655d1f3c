/** What the home page shows. A service that does not answer costs its part of the page alone. */
import { activity } from '@svc/contract/activity/activity'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { compute } from '@svc/contract/compute/compute'
import { offers } from '@svc/contract/offers/offers'
import { orUnknown } from '../../pages/shared/refused-as.ts'
import { readList } from '../shell/read-list.ts'
import type { Scene } from '../shell/scene.ts'
import { attentionOf } from './attention.ts'
import { charted } from './charted.ts'

const aDay = 24 * 3600
/** So many of a kind are named; the part of the console has all. */
const few = '5'

export type Home = Awaited<ReturnType<typeof readHome>>

export async function readHome(scene: Scene) {
  const { invoke, now, may } = scene
  const ending = { ends_before: `${now + 7 * aDay}`, limit: few }
  const unused = { unused_since: `${now - 90 * aDay}`, limit: few }
  const orders = (state: string) =>
    invoke(offers, 'list_orders', { query: { relation: 'received', state, limit: few } })
  const days = { types: charted.map(([type]) => type).join(','), days: '30' }
  const webhooks = activity.operations.list_webhook_endpoints
  const [
    toApprove,
    toConfirm,
    endingTokens,
    unusedTokens,
    endpoints,
    invitations,
    clusters,
    offered,
    events,
    counts,
  ] = await Promise.all([
    orUnknown(orders('awaiting_approval')),
    orUnknown(orders('awaiting_checkout')),
    orUnknown(invoke(authTokens, 'list_api_tokens', { query: ending })),
    orUnknown(invoke(authTokens, 'list_api_tokens', { query: unused })),
    may(webhooks) ? orUnknown(invoke(activity, 'list_webhook_endpoints', {})) : undefined,
    orUnknown(invoke(authTokens, 'list_invitations', { query: { limit: few } })),
    orUnknown(readList(query => invoke(compute, 'list_clusters', { query }))),
    orUnknown(invoke(offers, 'list_offers', { query: { limit: '1' } })),
    orUnknown(invoke(activity, 'list_events', { query: { limit: '8' } })),
    orUnknown(invoke(activity, 'count_events', { query: days })),
  ])
  return {
    attention: attentionOf({
      ...{ toApprove, toConfirm, endingTokens, unusedTokens, endpoints, invitations, clusters, now },
    }),
    events: events?.data,
    days: counts?.data,
    /** Whether there is an offer; undefined: it is not known. */
    hasOffers: offered && offered.data.length > 0,
  }
}
