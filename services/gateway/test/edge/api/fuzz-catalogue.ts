// A separate catalogue for random requests, since other operations need the demo's unchanged.
import type { DevFile } from '@svc/local/seed-demo'
import { sender } from '@svc/testing/stack/driven-stack'

interface Ids {
  /** For everything that does not delete. */
  readonly kept: string[]
  readonly doomed: string[]
}

export interface CatalogueIds {
  readonly packages: Ids
  readonly versions: string[]
  readonly products: Ids
  readonly offer_channels: Ids
  readonly offers: string[]
}

export async function makeCatalogue({ base_url, api_token }: DevFile): Promise<CatalogueIds> {
  const make = async (path: string, body: object): Promise<string> =>
    (await sender<{ id: string }>(base_url)('POST', path, api_token, { body })).id
  const several = (path: string, body: object) =>
    Promise.all(Array.from({ length: 20 }, () => make(path, body)))

  const name = 'fuzz'
  const package_id = await make('/packages', { name })
  const version = { version: '1.0.0', input_schema: { properties: {} } }
  const version_id = await make(`/packages/${package_id}/versions`, version)
  const pinned = { name, package_id, current_package_version_id: version_id }
  const product_id = await make('/products', pinned)
  const offer_channel_id = await make('/offer_channels', { product_id, name })
  return {
    packages: { kept: [package_id], doomed: await several('/packages', { name }) },
    versions: [version_id],
    products: { kept: [product_id], doomed: await several('/products', pinned) },
    offer_channels: {
      kept: [offer_channel_id],
      doomed: await several('/offer_channels', { product_id, name }),
    },
    offers: await several('/offers', { package_version_id: version_id }),
  }
}
