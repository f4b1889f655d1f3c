/** Names of what offers are made of, for lists: of the newest hundred products and channels; others are shown by their ids. */
import { offers } from '@svc/contract/offers/offers'
import type { Scene } from '../shell/scene.ts'
import type { Item } from '../ui/answers.ts'

export interface Names {
  readonly products: readonly Item<'list_products'>[]
  readonly channels: readonly Item<'list_offer_channels'>[]
}

const most = { query: { limit: '100' } }

/** Two calls of the bus. */
export async function readNames({ invoke }: Scene): Promise<Names> {
  const [products, channels] = await Promise.all([
    invoke(offers, 'list_products', most),
    invoke(offers, 'list_offer_channels', most),
  ])
  return { products: products.data, channels: channels.data }
}

interface Sold {
  readonly product_id: string | null
  readonly offer_channel_id: string | null
  readonly package_version_id: string
}

export const soldText = ({ product_id, package_version_id }: Sold, { products }: Names): string =>
  products.find(({ id }) => id === product_id)?.name ?? product_id ?? package_version_id

export const channelText = ({ offer_channel_id }: Sold, { channels }: Names): string | undefined =>
  channels.find(({ id }) => id === offer_channel_id)?.name ?? offer_channel_id ?? undefined
