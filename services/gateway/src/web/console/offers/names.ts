import { offers } from '@svc/contract/offers/offers'
import { readList } from '../../kit/visit/read-list.ts'
import type { Scene } from '../shell/scene.ts'
import type { Item } from '../ui/answers.ts'

export interface Names {
  readonly products: readonly Item<'list_products'>[]
  readonly channels: readonly Item<'list_offer_channels'>[]
}

export async function readNames({ invoke }: Scene): Promise<Names> {
  const [products, channels] = await Promise.all([
    readList(query => invoke(offers, 'list_products', { query })),
    readList(query => invoke(offers, 'list_offer_channels', { query })),
  ])
  return { products, channels }
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
