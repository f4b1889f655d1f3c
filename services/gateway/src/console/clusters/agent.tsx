/** The secret with which a cluster's agent connects. */
import { compute } from '@svc/contract/compute/compute'
import { refusal } from '@svc/contract/core/errors'
import { callOf } from '../forms/call-of.ts'
import { ConfirmPage } from '../forms/confirm-page.tsx'
import type { FieldSpec, FieldValues } from '../forms/field-spec.ts'
import { FormPage } from '../forms/form-page.tsx'
import { graceField } from '../forms/grace-field.ts'
import { SecretPage } from '../forms/secret-page.tsx'
import type { Problems } from '../../pages/shared/form-fields.ts'
import { send, valuesOf } from '../forms/submitted.ts'
import type { ConsolePages, Scene } from '../shell/scene.ts'

const { create_agent_secret, revoke_agent_secret } = compute.operations

/** The first one replaces nothing. */
const fieldsFor = (hasSecret: boolean): readonly FieldSpec[] =>
  hasSecret ? [graceField('grace_seconds', '--grace')] : []

const crumbsOf = (id: string) => [
  { label: 'Clusters', path: '/clusters' },
  { label: id, path: `/clusters/${id}` },
]

export function agentPages({ get, post }: ConsolePages) {
  get('/clusters/:id/agent-secret', async scene => {
    if (!scene.may(create_agent_secret)) throw refusal('role_too_low')
    return scene.show(page(scene, await hasSecret(scene), { grace_seconds: '3600' }))
  })

  post('/clusters/:id/agent-secret', async scene => {
    const { id = '' } = scene.params
    const values = valuesOf(scene)
    const has = await hasSecret(scene)
    // Sent twice, or from another tab: the secret that somebody reads there would be replaced.
    if (values.has_secret === 'no' && has) {
      const again = { ...values, grace_seconds: '3600' }
      return scene.show(page(scene, has, again, { '': createdMeanwhile }), 409)
    }
    const sent = await send(fieldsFor(has), values, body =>
      scene.invoke(compute, 'create_agent_secret', { params: { id }, body }),
    )
    if ('refused' in sent) {
      const { problems, status } = sent.refused
      return scene.show(page(scene, has, values, problems), status)
    }
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

const createdMeanwhile =
  'The agent has got a secret since you opened the form. Creating another one replaces it.'

async function hasSecret({ invoke, params: { id = '' } }: Scene): Promise<boolean> {
  const { agent } = await invoke(compute, 'get_cluster', { params: { id } })
  return agent.has_secret
}

function page(scene: Scene, has: boolean, values: FieldValues, problems?: Problems) {
  const { id = '' } = scene.params
  const fields = fieldsFor(has)
  return (
    <FormPage
      scene={scene}
      title={has ? 'New secret for the agent' : 'Secret for the agent'}
      part="/clusters"
      crumbs={crumbsOf(id)}
      text={has ? undefined : 'With it the agent of this cluster connects. It is shown once.'}
      action={`/clusters/${id}/agent-secret`}
      call={callOf(scene, create_agent_secret, {
        params: { id },
        fields,
        svc: 'clusters agent-secret create',
        args: [id],
      })}
      hidden={{ has_secret: has ? 'yes' : 'no' }}
      {...{ fields, values, problems }}
      button="Create the secret"
      back={`/clusters/${id}`}
    />
  )
}
