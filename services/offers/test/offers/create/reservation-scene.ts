// One key and its requests, for tests of reservations.
import { type Attempt, type Bench, held } from '../../in-process.ts'

export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const leaseMs = minute

/** A key, a clock, and a product with two versions, for one test. */
export async function arrange(bench: Bench) {
  const versions = await bench.catalogue.twoVersions()
  const { product_id } = versions
  const key = `key of ${product_id}`
  const clock = { ms: Date.now() }
  const body = { product_id, field_values: { region: { value: 'eu', locked: true } } }
  const create = (attempt: Partial<Attempt> = {}) => bench.create({ body, key, clock, ...attempt })
  /** A request that blocks between its reservation and its offer. */
  const stall = async (request: object = body, attempt: Partial<Attempt> = {}) => {
    const { schemas, reached, release } = held(bench.schemas)
    const answer = create({ body: request, schemas, ...attempt })
    await reached
    return { answer, release }
  }
  return {
    ...versions,
    key,
    clock,
    body,
    create,
    stall,
    /** Like `stall`, but never resumed. */
    crash: async () => void (await stall()),
    moveOn: () => bench.catalogue.pin(product_id, versions.second),
    keyRow: () => bench.keyRow(key),
    offers: () => bench.offersOf(product_id),
    pinned: async () => (await bench.offersOf(product_id)).map(offer => offer.package_version_id),
  }
}
