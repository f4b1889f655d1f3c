/** The Ed25519 seed in the seed of an nkey. */
import { nkeys } from 'nats'

/**
 * nkeys.js 1.1.0, of which nats.js 2.29.3 makes its `nkeys`, signs in JavaScript and derives the key for each signature
 * (`lib/kp.js`, lines 57-62), which takes milliseconds of the event loop; and the key that another implementation could
 * sign with is in no method of its `KeyPair` but in that of its class.
 *
 * @param seed `SA…`, `SU…` and so on
 * @returns 32 bytes
 * @throws Error where it is no seed
 */
export function rawSeedOf(seed: string): Uint8Array {
  const pair: { getRawSeed(): Uint8Array } = nkeys.fromSeed(new TextEncoder().encode(seed))
  return pair.getRawSeed()
}
