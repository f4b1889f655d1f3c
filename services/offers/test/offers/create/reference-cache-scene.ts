// Processes with a warm, partial or empty cache of the catalogue, for tests of the reference cache.
import { type ReferenceCache, createReferenceCache } from '../../../src/offers/create/reference-cache.ts'
import { rangePolicy } from '../../catalogue.ts'
import type { Attempt, Bench } from '../../in-process.ts'
import { arrange } from './reservation-scene.ts'

/** A process with an empty cache; `hits` says of each look-up in the cache whether it found everything. */
export function newProcess(bench: Bench) {
  const cache = createReferenceCache()
  const hits: boolean[] = []
  const observed: ReferenceCache = {
    ...cache,
    get(workspace, body) {
      const references = cache.get(workspace, body)
      hits.push(references !== undefined)
      return references
    },
  }
  return { hits, create: (attempt: Attempt) => bench.create({ ...attempt, referenceCache: observed }) }
}

export const cold = (bench: Bench, attempt: Attempt) => newProcess(bench).create(attempt)

/** A product with a channel. */
export async function withChannel(bench: Bench, policy = rangePolicy) {
  const scene = await arrange(bench)
  const offer_channel_id = await bench.catalogue.channel(scene.product_id, policy)
  const setStatus = (status: 'active' | 'inactive') => bench.catalogue.setStatus(offer_channel_id, status)
  return { ...scene, offer_channel_id, setStatus, body: { ...scene.body, offer_channel_id } }
}
