import { nkeys } from 'nats'

/**
 * nkeys.js 1.1.0, from which nats.js 2.29.3 takes its `nkeys`, signs in JavaScript and derives the key for each
 * signature (`lib/kp.js`, lines 57-62), which takes milliseconds of the event loop. The seed that another
 * implementation needs is accessible only through the class, not the interface `KeyPair`.
 *
 * @param seed `SA…`, `SU…` and so on
 * @returns 32 bytes
 * @throws Error if it is not a seed
 */
export function rawSeedOf(seed: string): Uint8Array {
  const pair: { getRawSeed(): Uint8Array } = nkeys.fromSeed(new TextEncoder().encode(seed))
  return pair.getRawSeed()
}
