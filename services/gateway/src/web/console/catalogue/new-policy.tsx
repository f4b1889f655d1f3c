import { offers } from '@svc/contract/offers/offers'
import { callOf } from '../forms/call-of.ts'
import type { Problems } from '../../kit/forms/form-fields.ts'
import { type FieldValues, namesOf } from '../../kit/forms/field-spec.ts'
import { FormPage } from '../forms/form-page.tsx'
import { send, valuesOf } from '../../kit/forms/submitted.ts'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import type { Answer } from '../ui/answers.ts'
import { crumbsOf } from './crumbs.ts'
import { shownName } from './names.ts'
import { firstPolicy, policyFields, type PricingKind, valuesOfPolicy } from './policy-fields.ts'
import { readActivePolicy } from './read-policies.ts'

const { create_channel_policy } = offers.operations

export function newPolicyPages({ get, post }: ConsolePages) {
  get('/catalogue/channels/:id/policies/new', async scene => {
    const channel = await read(scene)
    const active = (await readActivePolicy(scene, channel))?.policy
    const kind = kindOf(scene.query.get('pricing')) ?? active?.pricing.kind ?? 'fixed'
    const values = active ? { ...firstPolicy, ...valuesOfPolicy(active) } : firstPolicy
    return scene.show(page(scene, channel, kind, values))
  })

  post('/catalogue/channels/:id/policies/new', async scene => {
    const { other, ...values } = valuesOf(scene)
    const channel = await read(scene)
    const kind = kindOf(other) ?? kindOf(values.pricing_kind) ?? 'fixed'
    if (other) return scene.show(page(scene, channel, kind, values))
    const { id } = channel
    const sent = await send(
      policyFields(kind, values),
      values,
      body => scene.invoke(offers, 'create_channel_policy', { params: { id }, body }),
      fixedOf(kind),
    )
    // That page compares it with the active one and activates it.
    if ('done' in sent) return scene.go(`/catalogue/channels/${id}/policies/${sent.done.number}`, 'created')
    return scene.show(page(scene, channel, kind, values, sent.refused.problems), sent.refused.status)
  })
}

const read = ({ invoke, params: { id = '' } }: Scene) =>
  invoke(offers, 'get_offer_channel', { params: { id } })

const kindOf = (text: string | null | undefined): PricingKind | undefined =>
  text === 'fixed' || text === 'range' ? text : undefined

const fixedOf = (kind: PricingKind) => ({ policy: { pricing: { kind } } })

function typedForOther(other: PricingKind, kind: PricingKind, values: FieldValues): FieldValues {
  const shown = new Set(policyFields(kind, values).flatMap(namesOf))
  const kept = policyFields(other, values)
    .flatMap(namesOf)
    .filter(name => !shown.has(name) && values[name])
  return Object.fromEntries(kept.map(name => [name, values[name] ?? '']))
}

function page(
  scene: Scene,
  { id, name }: Answer<'get_offer_channel'>,
  kind: PricingKind,
  values: FieldValues,
  problems?: Problems,
) {
  const path = `/catalogue/channels/${id}`
  const other = kind === 'fixed' ? 'range' : 'fixed'
  const fields = policyFields(kind, values)
  return (
    <FormPage
      scene={scene}
      title={`New revision of ${shownName({ id, name })}`}
      part="/catalogue"
      crumbs={crumbsOf('channels', { label: shownName({ id, name }), path })}
      text={
        kind === 'fixed' ? 'All offers have the same price.' : 'Each offer sets its own price within a range.'
      }
      action={`${path}/policies/new`}
      hidden={{ ...typedForOther(other, kind, values), pricing_kind: kind }}
      call={callOf(scene, create_channel_policy, {
        params: { id },
        fields,
        fixed: fixedOf(kind),
        file: 'policy',
      })}
      {...{ fields, values, problems }}
      button="Create and review"
      second={{
        name: 'other',
        value: other,
        label: other === 'fixed' ? 'Use a fixed price' : 'Use a price range',
      }}
      back={path}
    />
  )
}
