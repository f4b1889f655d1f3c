import { compute } from '@svc/contract/compute/compute'
import { offers } from '@svc/contract/offers/offers'
import { listedClusters } from '../../kit/visit/cluster-name.ts'
import { readOrders } from '../installs/names.ts'
import type { ConsolePages } from '../shell/scene.ts'
import { ClusterPage } from './cluster-view.tsx'

const aWeek = '168'

export function clusterPage({ get }: ConsolePages) {
  get('/clusters/:id', async scene => {
    const params = { id: scene.params.id ?? '' }
    const [cluster, machines, installs, orders] = await Promise.all([
      scene.invoke(compute, 'get_cluster', { params }),
      scene.invoke(compute, 'list_machine_counts', { params, query: { hours: aWeek } }),
      scene.invoke(offers, 'list_installs', {
        query: { relation: 'owned', cluster_id: params.id, state: 'started', limit: '10' },
      }),
      readOrders(scene, { relation: 'placed' }),
    ])
    return scene.show(
      <ClusterPage
        scene={scene}
        cluster={cluster}
        machines={machines.data}
        installs={installs.data}
        names={{ orders, clusters: listedClusters([cluster]) }}
      />,
    )
  })
}
