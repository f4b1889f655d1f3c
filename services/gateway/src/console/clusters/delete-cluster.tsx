import { compute } from '@svc/contract/compute/compute'
import { refusal } from '@svc/contract/core/errors'
import { callOf } from '../forms/call-of.ts'
import { ConfirmPage } from '../forms/confirm-page.tsx'
import { attempt } from '../forms/submitted.ts'
import type { ConsolePages, Scene } from '../shell/scene.ts'

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
  const { id, name } = await scene.invoke(compute, 'get_cluster', { params })
  return (
    <ConfirmPage
      scene={scene}
      part="/clusters"
      crumbs={[
        { label: 'Clusters', path: '/clusters' },
        { label: name, path: `/clusters/${id}` },
      ]}
      question={`Delete “${name}”?`}
      consequence={
        <ul>
          <li>Its settings and the secret of its agent are gone. This cannot be undone.</li>
          <li>A cluster with installs or orders is not deleted: report the installs as removed first.</li>
        </ul>
      }
      button="Delete the cluster"
      action={`/clusters/${id}/delete`}
      back={`/clusters/${id}`}
      problem={problem}
      call={callOf(scene, compute.operations.delete_cluster, { params, svc: 'clusters delete', args: [id] })}
    />
  )
}
