/** The secret with which a cluster's agent connects. */
import { compute } from '@svc/contract/compute/compute'
import { refusal } from '@svc/contract/core/errors'
import { callOf } from '../forms/call-of.ts'
import { ConfirmPage } from '../forms/confirm-page.tsx'
import type { FieldSpec, FieldValues } from '../forms/field-spec.ts'
import { FormPage } from '../forms/form-page.tsx'
import { graceField } from '../forms/grace-field.ts'
import { SecretPage } from '../forms/secret-page.tsx'
import { send, valuesOf } from '../forms/submitted.ts'
import type { ConsolePages, Scene } from '../shell/scene.ts'

const { create_agent_secret, revoke_agent_secret } = compute.operations
const fields: readonly FieldSpec[] = [graceField('grace_seconds', '--grace')]

const crumbsOf = (id: string) => [
  { label: 'Clusters', path: '/clusters' },
  { label: id, path: `/clusters/${id}` },
]

export function agentPages({ get, post }: ConsolePages) {
  get('/clusters/:id/agent-secret', async scene => {
    if (!scene.may(create_agent_secret)) throw refusal('role_too_low')
    await scene.invoke(compute, 'get_cluster', { params: { id: scene.params.id ?? '' } })
    return scene.show(page(scene, { grace_seconds: '3600' }))
  })

  post('/clusters/:id/agent-secret', async scene => {
    const { id = '' } = scene.params
    const values = valuesOf(scene)
    const sent = await send(fields, values, body =>
      scene.invoke(compute, 'create_agent_secret', { params: { id }, body }),
    )
    if ('refused' in sent) return scene.show(page(scene, values, sent.refused.problems), sent.refused.status)
    return scene.show(
      <SecretPage
        scene={scene}
        part="/clusters"
        crumbs={crumbsOf(id)}
        title="Secret of the agent"
        secret={sent.done.secret}
        text="Give it to the agent of this cluster. With it the agent reads the compute settings of its cluster and reports its machines, and nothing else."
        next={`/clusters/${id}`}
      />,
      201,
    )
  })

  get('/clusters/:id/agent-secret/revoke', async scene => {
    const { id = '' } = scene.params
    if (!scene.may(revoke_agent_secret)) throw refusal('role_too_low')
    await scene.invoke(compute, 'get_cluster', { params: { id } })
    return scene.show(
      <ConfirmPage
        scene={scene}
        part="/clusters"
        crumbs={crumbsOf(id)}
        question="Revoke the secret of the agent?"
        consequence={
          <p>
            The agent is refused at once, and settings no longer reach the cluster until the agent has a new
            secret.
          </p>
        }
        button="Revoke the secret"
        action={`/clusters/${id}/agent-secret/revoke`}
        back={`/clusters/${id}`}
        call={callOf(scene, revoke_agent_secret, {
          params: { id },
          svc: 'clusters agent-secret revoke',
          args: [id],
        })}
      />,
    )
  })

  post('/clusters/:id/agent-secret/revoke', async scene => {
    const { id = '' } = scene.params
    await scene.invoke(compute, 'revoke_agent_secret', { params: { id } })
    return scene.go(`/clusters/${id}`, 'revoked')
  })
}

const page = (scene: Scene, values: FieldValues, problems?: Readonly<Record<string, string>>) => {
  const { id = '' } = scene.params
  return (
    <FormPage
      scene={scene}
      title="New secret for the agent"
      part="/clusters"
      crumbs={crumbsOf(id)}
      action={`/clusters/${id}/agent-secret`}
      call={callOf(scene, create_agent_secret, {
        params: { id },
        fields,
        svc: 'clusters agent-secret create',
        args: [id],
      })}
      {...{ fields, values, problems }}
      button="Create the secret"
      back={`/clusters/${id}`}
    />
  )
}
