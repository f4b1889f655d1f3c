/** A service that does not answer costs only its part of the page. */
import { activity } from '@svc/contract/activity/activity'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { compute } from '@svc/contract/compute/compute'
import { offers } from '@svc/contract/offers/offers'
import { soon } from '../../kit/visit/own-clusters.ts'
import { orUnknown } from '../../kit/forms/refused-as.ts'
import { readList } from '../../kit/visit/read-list.ts'
import type { Scene } from '../shell/scene.ts'
import type { Answer } from '../ui/answers.ts'
import { attentionOf, type Overdue } from './attention.ts'
import { charted } from './charted.ts'

const aDay = 24 * 3600
const few = '5'

const noTokens: Answer<'list_api_tokens'> = { data: [], next_cursor: null }
const noEndpoints: Answer<'list_webhook_endpoints'> = { data: [], next_cursor: null }

export type Home = Awaited<ReturnType<typeof readHome>>

export async function readHome(scene: Scene) {
  const { invoke, now, may } = scene
  const ending = { ends_before: `${now + 7 * aDay}`, limit: few }
  const unused = { unused_since: `${now - 90 * aDay}`, limit: few }
  // Each part is optional: the page waits no longer than a second for it.
  const brief = soon(scene.request)
  const orders = (state: string) =>
    invoke(offers, 'list_orders', { query: { relation: 'received', state, limit: few }, ...brief })
  async function overdue(relation: string): Promise<Overdue> {
    const query = { relation, subscription: 'overdue', limit: few }
    const { data, next_cursor } = await invoke(offers, 'list_installs', { query, ...brief })
    const named = data.map(async install => ({
      install,
      order: await orUnknown(invoke(offers, 'get_order', { params: { id: install.order_id }, ...brief })),
    }))
    return { data: await Promise.all(named), next_cursor }
  }
  const days = { types: charted.map(([type]) => type).join(','), days: '30' }
  const webhooks = activity.operations.list_webhook_endpoints
  // People are not asked for steps that they may not take.
  const mayRotate = may(authTokens.operations.rotate_api_token)
  const [
    toApprove,
    toConfirm,
    overdueSold,
    overdueOwned,
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
    orUnknown(overdue('sold')),
    orUnknown(overdue('owned')),
    mayRotate ? orUnknown(invoke(authTokens, 'list_api_tokens', { query: ending, ...brief })) : noTokens,
    mayRotate ? orUnknown(invoke(authTokens, 'list_api_tokens', { query: unused, ...brief })) : noTokens,
    may(webhooks) ? orUnknown(invoke(activity, 'list_webhook_endpoints', brief)) : noEndpoints,
    orUnknown(invoke(authTokens, 'list_invitations', { query: { limit: few }, ...brief })),
    may(compute.operations.create_agent_secret)
      ? orUnknown(readList(query => invoke(compute, 'list_clusters', { query, ...brief })))
      : [],
    orUnknown(invoke(offers, 'list_offers', { query: { limit: '1' }, ...brief })),
    orUnknown(invoke(activity, 'list_events', { query: { limit: '8' }, ...brief })),
    orUnknown(invoke(activity, 'count_events', { query: days, ...brief })),
  ])
  const asked = {
    ...{ toApprove, toConfirm, overdueSold, overdueOwned },
    ...{ endingTokens, unusedTokens, endpoints, invitations, clusters },
  }
  return {
    isPartial: Object.values(asked).includes(undefined),
    attention: attentionOf({ ...asked, now }),
    events: events?.data,
    days: counts?.data,
    hasOffers: offered && offered.data.length > 0,
  }
}
