// The replicas of the product that the file has started, to kill.
import { waitUntil } from '@svc/local/wait-until'
import { everything } from '@svc/testing/size'
import { scene } from '../checkout/checkout-scene.ts'

export const replicas = () => scene.stack.stack.processes.offers

export async function killAll() {
  for (const replica of replicas()) replica.kill('SIGKILL')
  await waitUntil('they are gone', () => replicas().every(replica => !replica.running()))
}

export const startAll = () => Promise.all(replicas().map(replica => replica.start()))

/** In `npm test` one alone, where one says the same: each start takes seconds of the processor. */
export const startSome = () => (everything ? startAll() : replicas()[0]?.start())
