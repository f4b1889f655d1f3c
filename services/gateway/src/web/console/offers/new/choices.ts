import { refusal } from '@svc/contract/core/errors'
import { offers } from '@svc/contract/offers/offers'
import type { Scene } from '../../shell/scene.ts'
import type { Answer } from '../../ui/answers.ts'
import { readActivePolicy } from '../../catalogue/read-policies.ts'
import type { Names } from '../names.ts'
import type { Provider } from '../../../kit/offers/terms-view.tsx'
import { readProvider } from './paid-fields.ts'

export interface Chosen {
  readonly ids: Readonly<Record<string, string>>
  readonly name: string
  readonly version: Answer<'get_package_version'>
  readonly channel: Answer<'get_offer_channel'> | undefined
  readonly policy: Answer<'get_channel_policy'> | undefined
  /** Asked where there are no saved terms. */
  readonly provider: Provider
}

/**
 * Identifies the version and the policy of a form: its fields are named by their positions in the version's schema.
 */
export const seenOf = ({ version, policy }: Pick<Chosen, 'version' | 'policy'>): string =>
  `${version.id} ${policy?.number ?? ''}`

const idNames = ['product_id', 'offer_channel_id', 'package_version_id'] as const

export const idsOf = (query: URLSearchParams): Record<string, string> =>
  Object.fromEntries(idNames.flatMap(name => (query.get(name) ? [[name, query.get(name) ?? '']] : [])))

/** Up to four calls on the bus. Undefined: a product without a version. */
export async function readChosen(
  scene: Scene,
  asked: Readonly<Record<string, string>>,
  names: Names,
): Promise<Chosen | undefined> {
  const { offer_channel_id, package_version_id } = asked
  const channel =
    offer_channel_id === undefined ? undefined : await readChannel(scene, offer_channel_id, names)
  // A channel sells one product.
  const product_id = asked.product_id ?? channel?.product_id
  const ids = { ...(product_id && { product_id }), ...asked }
  const product =
    product_id === undefined
      ? undefined
      : (names.products.find(({ id }) => id === product_id) ??
        (await scene.invoke(offers, 'get_product', { params: { id: product_id } })))
  const versionId = package_version_id ?? product?.current_package_version_id
  if (!versionId) {
    if (product) return undefined
    throw refusal('not_found')
  }
  const [version, policy, provider] = await Promise.all([
    scene.invoke(offers, 'get_package_version', { params: { id: versionId } }),
    channel && readActivePolicy(scene, channel),
    channel ? ('manual' as const) : readProvider(scene),
  ])
  return { ids, name: product?.name ?? `version ${version.version}`, version, channel, policy, provider }
}

const readChannel = async ({ invoke }: Scene, id: string, { channels }: Names) =>
  channels.find(one => one.id === id) ?? (await invoke(offers, 'get_offer_channel', { params: { id } }))
