import { offers } from '@svc/contract/offers/offers'
import { Form, ProblemSummary } from '../../../pages/shared/form.tsx'
import type { Problems } from '../../../pages/shared/form-fields.ts'
import { priceText } from '../../../pages/offer/terms-view.tsx'
import { callOf } from '../../forms/call-of.ts'
import { CommandLines } from '../../forms/command-lines-view.tsx'
import type { FieldValues } from '../../forms/field-spec.ts'
import { FieldOf, Fields } from '../../forms/fields.tsx'
import { ConsolePage } from '../../shell/console-page.tsx'
import type { Scene } from '../../shell/scene.ts'
import { Card, Fact, PageHead } from '../../ui/parts.tsx'
import { type Chosen, seenOf } from './choices.ts'
import type { OfferForm } from './offer-form.ts'
import { forWhom, limits } from './offer-fields.ts'

interface NewOfferProps {
  readonly scene: Scene
  readonly chosen: Chosen
  readonly form: OfferForm
  readonly values: FieldValues
  readonly problems?: Problems
  readonly isCopy?: boolean
  /** Fields of the offer that it is a copy of, which the form could not take over. */
  readonly lost?: readonly string[]
}

export function NewOfferPage(props: NewOfferProps) {
  const { scene, chosen, form, values, problems, isCopy, lost = [] } = props
  const { ids, name, version } = chosen
  const shown = { values, problems }
  const action = `${scene.root}/offers/new?${new URLSearchParams(ids)}`
  return (
    <ConsolePage
      scene={scene}
      title="New offer"
      part="/offers"
      crumbs={[
        { label: 'Offers', path: '/offers' },
        { label: 'New offer', path: '/offers/new' },
      ]}
      failed={problems !== undefined}
    >
      <PageHead
        title={`New offer of ${name}`}
        text={
          isCopy
            ? 'A copy of another offer, without its end date and secret values.'
            : `Version ${version.version}`
        }
      />
      {lost.length > 0 && <p class="warning long">Not copied, fill them in again: {lost.join(', ')}.</p>}
      <ProblemSummary problems={problems} />
      <Form
        action={action}
        csrf={scene.visit.csrf}
        id="call"
        hidden={{ key: values.key ?? '', seen: seenOf(chosen) }}
      >
        <Card name="price" title="Terms">
          <Policy chosen={chosen} />
          <div class="grid-of-fields">
            <Fields fields={form.price} {...shown} />
          </div>
        </Card>
        <Card name="limits" title="Limits">
          <div class="grid-of-fields">
            <Fields fields={limits} {...shown} />
          </div>
        </Card>
        <Card name="whom" title="For whom">
          <div class="grid-of-fields">
            <Fields fields={forWhom} {...shown} />
          </div>
        </Card>
        <Card
          name="schema"
          title="What the customer fills in"
          text="Fill in what you know already. What stays empty, the customer fills in."
        >
          <SchemaFields form={form} {...shown} />
        </Card>
        <p class="actions">
          <button type="submit" class="button">
            Publish the offer
          </button>
          <a href={`${scene.root}/offers`}>Cancel</a>
        </p>
      </Form>
      <CommandLines
        form="call"
        values={values}
        call={callOf(scene, offers.operations.create_offer, {
          svc: 'offers create',
          args: Object.entries(ids).flatMap(([id, value]) => [flags[id] ?? '', value]),
          fields: form.all,
          fixed: ids,
          headers: { 'Idempotency-Key': values.key ?? '' },
        })}
      />
    </ConsolePage>
  )
}

const flags: Readonly<Record<string, string>> = {
  product_id: '--product',
  offer_channel_id: '--channel',
  package_version_id: '--package-version',
}

function Policy({ chosen: { ids, policy } }: Pick<NewOfferProps, 'chosen'>) {
  if (!ids.offer_channel_id) return null
  if (!policy) return <p class="warning">The channel has no active policy, so its offers are refused.</p>
  const { approval, checkout, pricing, default_commercial_mode } = policy.policy
  const price = pricing.kind === 'fixed' ? pricing : pricing.default_price
  return (
    <dl class="facts">
      <Fact label="Policy">Number {policy.number} of the channel</Fact>
      <Fact label="Approval">{approval === 'manual' ? 'You approve each order' : 'Not needed'}</Fact>
      <Fact label="Payment">{checkout === 'required' ? 'Before the install' : 'Not asked for'}</Fact>
      <Fact label={pricing.kind === 'fixed' ? 'Price' : 'Price, if you name none'}>
        {priceText({ approval, checkout, support: null, commercial_mode: default_commercial_mode, price })}
      </Fact>
    </dl>
  )
}

function SchemaFields({
  form: { schema },
  values,
  problems,
}: Pick<NewOfferProps, 'form' | 'values' | 'problems'>) {
  if (!schema)
    return <p class="hint">This version has too many fields for a form. Use the API to fill them in.</p>
  if (schema.length === 0) return <p class="hint">This version asks the customer for nothing.</p>
  return (
    <div class="grid-of-fields">
      {schema.map(([value, lock]) => (
        <div key={value.name} class="with-lock">
          <FieldOf spec={value} values={values} problem={problems?.[value.name]} />
          <FieldOf spec={lock} values={values} problem={problems?.[lock.name]} />
        </div>
      ))}
    </div>
  )
}
