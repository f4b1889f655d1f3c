/**
 * A cache of the catalogue. Versions and policies are immutable, and ids are never reused; which of them a
 * product or a channel points to, and that they still exist, is only an assumption: the statement that writes
 * an offer verifies it.
 */
import type { OfferInput } from '@svc/contract/offers/offer-input'
import { LRUCache } from 'lru-cache'
import type { OfferReferences } from './offer-references.ts'

export interface ReferenceCache {
  /** Everything `body` refers to, as last read; undefined if any of it is not cached. */
  get(workspace: string, body: OfferInput): OfferReferences | undefined
  set(workspace: string, body: OfferInput, references: OfferReferences): void
  /** Drops what `body` refers to: it has moved or was deleted. */
  delete(workspace: string, body: OfferInput): void
}

/** Rows of each kind that are kept. */
const max = 10_000

export function createReferenceCache(): ReferenceCache {
  const products = new LRUCache<string, NonNullable<OfferReferences['product']>>({ max })
  const versions = new LRUCache<string, NonNullable<OfferReferences['version']>>({ max })
  const channels = new LRUCache<string, NonNullable<OfferReferences['channel']>>({ max })
  const nameOf = (workspace: string, id: string) => `${workspace} ${id}`

  return {
    get(workspace, { product_id, package_version_id, offer_channel_id }) {
      const product = product_id === undefined ? undefined : products.get(nameOf(workspace, product_id))
      const versionId = package_version_id ?? product?.current_version_id
      const version = versionId ? versions.get(nameOf(workspace, versionId)) : undefined
      const channel =
        offer_channel_id === undefined ? undefined : channels.get(nameOf(workspace, offer_channel_id))
      const known =
        version && (product || product_id === undefined) && (channel || offer_channel_id === undefined)
      return known ? { key: undefined, product, version, channel } : undefined
    },
    set(workspace, { product_id, offer_channel_id }, { product, version, channel }) {
      if (product && product_id !== undefined) products.set(nameOf(workspace, product_id), product)
      if (version) versions.set(nameOf(workspace, version.id), version)
      if (channel && offer_channel_id !== undefined)
        channels.set(nameOf(workspace, offer_channel_id), channel)
    },
    delete(workspace, { product_id, package_version_id, offer_channel_id }) {
      const product = product_id === undefined ? undefined : products.get(nameOf(workspace, product_id))
      const versionId = package_version_id ?? product?.current_version_id
      if (versionId) versions.delete(nameOf(workspace, versionId))
      if (product_id !== undefined) products.delete(nameOf(workspace, product_id))
      if (offer_channel_id !== undefined) channels.delete(nameOf(workspace, offer_channel_id))
    },
  }
}
