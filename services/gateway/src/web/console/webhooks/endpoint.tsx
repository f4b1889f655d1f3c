import { activity } from '@svc/contract/activity/activity'
import type { ConsolePages } from '../shell/scene.ts'
import { queryOf } from '../ui/query-of.ts'
import { EndpointPage } from './endpoint-view.tsx'

export function endpointPage({ get }: ConsolePages) {
  get('/webhooks/:id', async scene => {
    const params = { id: scene.params.id ?? '' }
    const query = queryOf(scene, activity.operations.list_webhook_deliveries.query)
    const [endpoint, deliveries] = await Promise.all([
      scene.invoke(activity, 'get_webhook_endpoint', { params }),
      scene.invoke(activity, 'list_webhook_deliveries', { params, query }),
    ])
    return scene.show(<EndpointPage scene={scene} endpoint={endpoint} deliveries={deliveries} />)
  })
}
