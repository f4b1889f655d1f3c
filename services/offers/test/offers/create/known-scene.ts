// Processes that know the catalogue in part, or not at all: the scene of tests about what is remembered of it.
import { type ReferenceCache, createReferenceCache } from '../../../src/offers/create/reference-cache.ts'
import { rangePolicy } from '../../catalogue.ts'
import type { Attempt, Bench } from '../../in-process.ts'
import { arrange } from './reservation-scene.ts'

/** A process that has read nothing yet, and of each of its looks at what it knows whether that was all it needed. */
export function newProcess(bench: Bench) {
  const known = createReferenceCache()
  const assumed: boolean[] = []
  const observed: ReferenceCache = {
    ...known,
    get(workspace, body) {
      const facts = known.get(workspace, body)
      assumed.push(facts !== undefined)
      return facts
    },
  }
  return { assumed, create: (attempt: Attempt) => bench.create({ ...attempt, known: observed }) }
}

export const cold = (bench: Bench, attempt: Attempt) => newProcess(bench).create(attempt)

/** A product with a channel. */
export async function withChannel(bench: Bench, policy = rangePolicy) {
  const scene = await arrange(bench)
  const offer_channel_id = await bench.catalogue.channel(scene.product_id, policy)
  const setStatus = (status: 'active' | 'inactive') =>
    bench.catalogue.setStatus(offer_channel_id, scene.product_id, status)
  return { ...scene, offer_channel_id, setStatus, body: { ...scene.body, offer_channel_id } }
}
