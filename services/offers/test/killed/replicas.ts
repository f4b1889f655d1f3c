// The replicas of the file's own product, which the tests kill.
import { waitUntil } from '@svc/local/wait-until'
import { scene } from '../checkout/checkout-scene.ts'

export const replicas = () => scene.stack.stack.processes.offers

export async function killAll() {
  for (const replica of replicas()) replica.kill('SIGKILL')
  await waitUntil('they are gone', () => replicas().every(replica => !replica.running()))
}

export const startAll = () => Promise.all(replicas().map(replica => replica.start()))
