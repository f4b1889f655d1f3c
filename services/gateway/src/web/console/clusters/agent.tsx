import { agentHint, agentLines } from '@svc/contract/compute/agent-lines'
import { compute } from '@svc/contract/compute/compute'
import { refusal } from '@svc/contract/core/errors'
import { callOf } from '../forms/call-of.ts'
import { ConfirmPage } from '../forms/confirm-page.tsx'
import type { FieldSpec, FieldValues } from '../../kit/forms/field-spec.ts'
import { FormPage } from '../forms/form-page.tsx'
import { graceField } from '../forms/grace-field.ts'
import { SecretPage } from '../forms/secret-page.tsx'
import type { Problems } from '../../kit/forms/form-fields.ts'
import { send, valuesOf } from '../../kit/forms/submitted.ts'
import { Card } from '../../kit/ui/parts.tsx'
import { Code } from '../../kit/ui/markdown-view.tsx'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import type { Answer } from '../ui/answers.ts'
import { crumbsOf } from './crumbs.ts'

const { create_agent_secret, revoke_agent_secret } = compute.operations

const fieldsFor = (hasSecret: boolean): readonly FieldSpec[] =>
  hasSecret ? [graceField('grace_seconds')] : []

export function agentPages({ get, post }: ConsolePages) {
  get('/clusters/:id/agent-secret', async scene => {
    if (!scene.may(create_agent_secret)) throw refusal('role_too_low')
    return scene.show(page(scene, await read(scene), { grace_seconds: '3600' }))
  })

  post('/clusters/:id/agent-secret', async scene => {
    const { id = '' } = scene.params
    const values = valuesOf(scene)
    const cluster = await read(scene)
    const has = cluster.agent.has_secret
    // Sent twice, or from another tab: it would replace a secret that somebody is just reading.
    if (values.has_secret === 'no' && has) {
      const again = { ...values, grace_seconds: '3600' }
      return scene.show(page(scene, cluster, again, { '': createdMeanwhile }), 409)
    }
    const sent = await send(fieldsFor(has), values, body =>
      scene.invoke(compute, 'create_agent_secret', { params: { id }, body }),
    )
    if ('refused' in sent) {
      const { problems, status } = sent.refused
      return scene.show(page(scene, cluster, values, problems), status)
    }
    return scene.show(
      <SecretPage
        scene={scene}
        part="/clusters"
        crumbs={crumbsOf(cluster)}
        title="Agent secret"
        secret={sent.done.secret}
        text="Configure this cluster’s agent with it. It only lets the agent read its compute settings and report its machines."
        next={`/clusters/${id}`}
      >
        <Card name="run" title="Run the agent" text={agentHint}>
          {agentLines(sent.done).map(([where, lines]) => (
            <div key={where}>
              <p class="title-of-line">{where}</p>
              <Code text={lines} label={`Copy the lines for ${where}`} />
            </div>
          ))}
        </Card>
      </SecretPage>,
      201,
    )
  })

  get('/clusters/:id/agent-secret/revoke', async scene => {
    const { id = '' } = scene.params
    if (!scene.may(revoke_agent_secret)) throw refusal('role_too_low')
    const cluster = await read(scene)
    return scene.show(
      <ConfirmPage
        scene={scene}
        part="/clusters"
        crumbs={crumbsOf(cluster)}
        question="Revoke the agent secret?"
        consequence={
          <p>
            The agent loses access immediately. Settings won’t reach the cluster until you set a new secret.
          </p>
        }
        button="Revoke secret"
        action={`/clusters/${id}/agent-secret/revoke`}
        back={`/clusters/${id}`}
        call={callOf(scene, revoke_agent_secret, {
          params: { id },
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

const createdMeanwhile = 'A secret was created while this form was open. Creating another one replaces it.'

const read = ({ invoke, params: { id = '' } }: Scene) => invoke(compute, 'get_cluster', { params: { id } })

function page(scene: Scene, cluster: Answer<'get_cluster'>, values: FieldValues, problems?: Problems) {
  const { id, agent } = cluster
  const has = agent.has_secret
  const fields = fieldsFor(has)
  return (
    <FormPage
      scene={scene}
      title={has ? 'Rotate agent secret' : 'Create agent secret'}
      part="/clusters"
      crumbs={crumbsOf(cluster)}
      text={has ? undefined : 'The agent uses this secret to connect. You’ll see it only once.'}
      action={`/clusters/${id}/agent-secret`}
      call={callOf(scene, create_agent_secret, {
        params: { id },
        fields,
      })}
      hidden={{ has_secret: has ? 'yes' : 'no' }}
      {...{ fields, values, problems }}
      button="Create secret"
      back={`/clusters/${id}`}
    />
  )
}
