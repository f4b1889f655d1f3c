// The replicas of the file's own product, which the tests kill.
import { waitUntil } from '@svc/local/wait-until'
import { everything } from '@svc/testing/size'
import { scene } from '../checkout/checkout-scene.ts'

export const replicas = () => scene.stack.stack.processes.offers

export async function killAll() {
  for (const replica of replicas()) replica.kill('SIGKILL')
  await waitUntil('they are gone', () => replicas().every(replica => !replica.running()))
}

export const startAll = () => Promise.all(replicas().map(replica => replica.start()))

/** In `npm test` only one, where one is enough: each start takes seconds of processor time. */
export const startSome = () => (everything ? startAll() : replicas()[0]?.start())
