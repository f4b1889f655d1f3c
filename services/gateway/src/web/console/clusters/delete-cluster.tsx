import { compute } from '@svc/contract/compute/compute'
import { refusal } from '@svc/contract/core/errors'
import { clusterName } from '../../kit/visit/cluster-name.ts'
import { callOf } from '../forms/call-of.ts'
import { ConfirmPage } from '../forms/confirm-page.tsx'
import { attempt } from '../../kit/forms/submitted.ts'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import { crumbsOf } from './crumbs.ts'

export function deleteClusterPages({ get, post }: ConsolePages) {
  get('/clusters/:id/delete', async scene => {
    if (!scene.may(compute.operations.delete_cluster)) throw refusal('role_too_low')
    return scene.show(await page(scene))
  })

  post('/clusters/:id/delete', async scene => {
    const params = { id: scene.params.id ?? '' }
    const sent = await attempt([], () => scene.invoke(compute, 'delete_cluster', { params }))
    if ('done' in sent) return scene.go('/clusters', 'deleted')
    return scene.show(await page(scene, sent.refused.problems['']), sent.refused.status)
  })
}

async function page(scene: Scene, problem?: string) {
  const params = { id: scene.params.id ?? '' }
  const cluster = await scene.invoke(compute, 'get_cluster', { params })
  const { id } = cluster
  return (
    <ConfirmPage
      scene={scene}
      part="/clusters"
      crumbs={crumbsOf(cluster)}
      question={`Delete “${clusterName(cluster)}”?`}
      consequence={
        <ul>
          <li>Its settings and agent secret are permanently deleted.</li>
          <li>
            Clusters with installs or open orders can’t be deleted. Mark their installs as removed first.
          </li>
        </ul>
      }
      button="Delete cluster"
      action={`/clusters/${id}/delete`}
      back={`/clusters/${id}`}
      problem={problem}
      call={callOf(scene, compute.operations.delete_cluster, { params })}
    />
  )
}
