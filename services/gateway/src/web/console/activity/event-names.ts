import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { compute } from '@svc/contract/compute/compute'
import { maxNames } from '@svc/contract/core/names'
import { offers } from '@svc/contract/offers/offers'
import { orUnknown } from '../../kit/forms/refused-as.ts'
import type { Scene } from '../shell/scene.ts'
import type { Item } from '../ui/answers.ts'
import { resourceOf } from './event-text.ts'

export type Names = Readonly<Record<string, string>>

/** One call to each service at once. Ids of services that do not answer are shown without names. */
export async function readNames(
  { invoke }: Scene,
  events: readonly Pick<Item<'list_events'>, 'aggregate_id'>[],
): Promise<Names> {
  const ids = [...new Set(events.map(({ aggregate_id }) => resourceOf(aggregate_id)))].slice(0, maxNames)
  if (ids.length === 0) return {}
  const options = { body: { ids } }
  const found = await Promise.all([
    orUnknown(invoke(offers, 'find_names', options)),
    orUnknown(invoke(compute, 'find_names', options)),
    orUnknown(invoke(authTokens, 'find_names', options)),
  ])
  return Object.assign({}, ...found.map(answer => answer?.names))
}
