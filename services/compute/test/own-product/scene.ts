import { type Bus, connectBus } from '@svc/bus/connection'
import { sized } from '@svc/testing/size'
import { startTestStack } from '@svc/testing/stack/stack'
import { afterAll, beforeAll } from 'vitest'
import { type ClusterScene, clustersOn } from '../cluster-scene.ts'

/** Of the test file that uses it. */
export let scene: ClusterScene
/** To ask as the gateway does. */
export let gateway: Bus

/** Makes them for the whole test file. */
export function useOwnProduct(): void {
  beforeAll(async () => {
    scene = clustersOn(
      await startTestStack({
        ownPostgres: true,
        replicas: { compute: sized(1, 2), offers: sized(1, 2) },
        env: { MAX_MACHINES: '7' },
      }),
    )
    gateway = await connectBus(scene.stack.stack.bus('tests'), { info() {}, warn() {}, error() {} })
  })
  afterAll(async () => {
    await gateway?.close()
    await scene?.stop()
  })
}
