import { type Bus, connectBus } from '@svc/bus/connection'
import { startTestStack } from '@svc/testing/stack/stack'
import { afterAll, beforeAll } from 'vitest'
import { type ClusterScene, clustersOn } from '../cluster-scene.ts'

/** Belongs to the test file that uses it. */
export let scene: ClusterScene
/** For calls as the gateway. */
export let gateway: Bus

/** Starts them for the whole test file. */
export function useOwnProduct(): void {
  beforeAll(async () => {
    scene = clustersOn(
      await startTestStack({
        ownPostgres: true,
        replicas: { compute: 2, offers: 2 },
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
