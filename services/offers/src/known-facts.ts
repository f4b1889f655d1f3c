/**
 * What this process has read of the catalogue. Versions and policies are immutable, and no id is used again; which of
 * them a product or a channel points to, and that they are there still, is an assumption only: the statement that writes
 * an offer verifies it.
 */
import type { OfferInput } from '@svc/contract/offer-input'
import { LRUCache } from 'lru-cache'
import type { Facts } from './facts.ts'

export interface KnownFacts {
  /** All that `body` refers to, as it was when it was last read; undefined where something of it is not known. */
  assume(workspace: string, body: OfferInput): Facts | undefined
  learn(workspace: string, body: OfferInput, facts: Facts): void
  /** What `body` refers to has moved, or was deleted. */
  forget(workspace: string, body: OfferInput): void
}

/** Rows of each kind that are kept. */
const max = 10_000

export function createKnownFacts(): KnownFacts {
  const products = new LRUCache<string, NonNullable<Facts['product']>>({ max })
  const versions = new LRUCache<string, NonNullable<Facts['version']>>({ max })
  const channels = new LRUCache<string, NonNullable<Facts['channel']>>({ max })
  const nameOf = (workspace: string, id: string) => `${workspace} ${id}`

  return {
    assume(workspace, { product_id, package_version_id, offer_channel_id }) {
      const product = product_id === undefined ? undefined : products.get(nameOf(workspace, product_id))
      const versionId = package_version_id ?? product?.current_version_id
      const version = versionId ? versions.get(nameOf(workspace, versionId)) : undefined
      const channel =
        offer_channel_id === undefined ? undefined : channels.get(nameOf(workspace, offer_channel_id))
      const known =
        version && (product || product_id === undefined) && (channel || offer_channel_id === undefined)
      return known ? { key: undefined, product, version, channel } : undefined
    },
    learn(workspace, { product_id, offer_channel_id }, { product, version, channel }) {
      if (product && product_id !== undefined) products.set(nameOf(workspace, product_id), product)
      if (version) versions.set(nameOf(workspace, version.id), version)
      if (channel && offer_channel_id !== undefined)
        channels.set(nameOf(workspace, offer_channel_id), channel)
    },
    forget(workspace, { product_id, package_version_id, offer_channel_id }) {
      const product = product_id === undefined ? undefined : products.get(nameOf(workspace, product_id))
      const versionId = package_version_id ?? product?.current_version_id
      if (versionId) versions.delete(nameOf(workspace, versionId))
      if (product_id !== undefined) products.delete(nameOf(workspace, product_id))
      if (offer_channel_id !== undefined) channels.delete(nameOf(workspace, offer_channel_id))
    },
  }
}
