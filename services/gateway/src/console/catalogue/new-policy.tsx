/** The next policy of a channel, begun as a copy of the active one. It is compared with that before it is made active. */
import type { ChannelPolicy } from '@svc/contract/offers/offers'
import { offers } from '@svc/contract/offers/offers'
import { callOf } from '../forms/call-of.ts'
import type { FieldValues } from '../forms/field-spec.ts'
import { FormPage } from '../forms/form-page.tsx'
import { send, valuesOf } from '../forms/submitted.ts'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import { crumbsOf } from './crumbs.ts'
import { firstPolicy, policyFields, type PricingKind, valuesOfPolicy } from './policy-fields.ts'

const { create_channel_policy } = offers.operations

export function newPolicyPages({ get, post }: ConsolePages) {
  get('/catalogue/channels/:id/policies/new', async scene => {
    const active = await activePolicy(scene)
    const kind = kindOf(scene.query.get('pricing')) ?? active?.pricing.kind ?? 'fixed'
    return scene.show(
      await page(scene, kind, active ? { ...firstPolicy, ...valuesOfPolicy(active) } : firstPolicy),
    )
  })

  post('/catalogue/channels/:id/policies/new', async scene => {
    const values = valuesOf(scene)
    const kind = kindOf(values.pricing_kind ?? null) ?? 'fixed'
    const params = { id: scene.params.id ?? '' }
    const sent = await send(
      policyFields(kind),
      values,
      body => scene.invoke(offers, 'create_channel_policy', { params, body }),
      fixedOf(kind),
    )
    // There it is compared with the active one, and activated.
    if ('done' in sent)
      return scene.go(`/catalogue/channels/${params.id}/policies/${sent.done.number}`, 'created')
    return scene.show(await page(scene, kind, values, sent.refused.problems), sent.refused.status)
  })
}

const kindOf = (text: string | null): PricingKind | undefined =>
  text === 'fixed' || text === 'range' ? text : undefined

const fixedOf = (kind: PricingKind) => ({ policy: { pricing: { kind } } })

async function activePolicy({ invoke, params }: Scene): Promise<ChannelPolicy | undefined> {
  const { data } = await invoke(offers, 'list_channel_policies', {
    params: { id: params.id ?? '' },
    query: { limit: '100' },
  })
  return data.find(({ active }) => active)?.policy
}

async function page(
  scene: Scene,
  kind: PricingKind,
  values: FieldValues,
  problems?: Readonly<Record<string, string>>,
) {
  const params = { id: scene.params.id ?? '' }
  const { id, name } = await scene.invoke(offers, 'get_offer_channel', { params })
  const path = `/catalogue/channels/${id}`
  const other = kind === 'fixed' ? 'range' : 'fixed'
  const fields = policyFields(kind)
  return (
    <FormPage
      scene={scene}
      title={`New policy of ${name}`}
      part="/catalogue"
      crumbs={crumbsOf('channels', { label: name, path })}
      text={
        <>
          {kind === 'fixed'
            ? 'Every offer has the same price. '
            : 'Each offer names its price within limits. '}
          <a href={`${scene.root}${path}/policies/new?pricing=${other}`}>
            {other === 'fixed' ? 'One price instead' : 'Limits instead'}
          </a>
        </>
      }
      action={`${path}/policies/new`}
      hidden={{ pricing_kind: kind }}
      call={callOf(scene, create_channel_policy, {
        params,
        fields,
        fixed: fixedOf(kind),
        svc: 'channels policies publish',
        args: [id],
        file: { flag: '--policy', at: 'policy' },
      })}
      {...{ fields, values, problems }}
      button="Publish, and compare with the active one"
      back={path}
    />
  )
}
