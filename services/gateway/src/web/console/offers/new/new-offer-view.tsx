import { offers } from '@svc/contract/offers/offers'
import { Form, ProblemSummary } from '../../../kit/forms/form.tsx'
import type { Problems } from '../../../kit/forms/form-fields.ts'
import { checkoutText } from '../payment-text.ts'
import { priceText } from '../../../kit/offers/terms-view.tsx'
import { callOf } from '../../forms/call-of.ts'
import { CommandLines } from '../../forms/command-lines-view.tsx'
import { keyField, keyHeader } from '../../../kit/forms/creation-key.ts'
import type { FieldSpec, FieldValues } from '../../../kit/forms/field-spec.ts'
import { FieldOf, Fields } from '../../../kit/forms/fields.tsx'
import { ConsolePage } from '../../shell/console-page.tsx'
import type { Scene } from '../../shell/scene.ts'
import { Card, Fact, PageHead } from '../../../kit/ui/parts.tsx'
import { propertiesOf } from './carried-values.ts'
import { type Chosen, seenOf } from './choices.ts'
import type { OfferForm } from './offer-form.ts'
import { forWhom, limits } from './offer-fields.ts'
import { Paid } from './paid-view.tsx'

const { create_offer, list_offer_channels } = offers.operations

interface NewOfferProps {
  readonly scene: Scene
  readonly chosen: Chosen
  readonly form: OfferForm
  readonly values: FieldValues
  readonly problems?: Problems
  readonly isCopy?: boolean
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
        title={`New offer for ${name}`}
        text={
          isCopy
            ? 'Copied from an existing offer. The expiry date and secret values aren’t copied.'
            : `Version ${version.version}`
        }
      />
      {lost.length > 0 && (
        <p class="warning long">These values weren’t copied: {lost.join(', ')}. Enter them again.</p>
      )}
      <ClosedTerms chosen={chosen} />
      <ProblemSummary problems={problems} />
      <Form
        action={action}
        csrf={scene.visit.csrf}
        id="call"
        hidden={{ ...keyField(values), seen: seenOf(chosen), properties: propertiesOf(form) }}
      >
        <Card name="price" title={form.paid ? 'Payment' : 'Terms'}>
          {form.paid ? (
            <Paid fields={form.paid} {...shown} />
          ) : (
            <>
              <SavedTerms chosen={chosen} />
              <div class="column-of-fields">
                <Fields fields={form.price} {...shown} />
              </div>
            </>
          )}
        </Card>
        <Card name="limits" title="Limits">
          <div class="column-of-fields">
            <Fields fields={limits} {...shown} />
          </div>
        </Card>
        <Card name="whom" title="Customer">
          <div class="column-of-fields">
            <Fields fields={forWhom} {...shown} />
          </div>
        </Card>
        <Card
          name="schema"
          title="Order form"
          text="Prefill what you already know. The customer completes the rest, and can’t change what you lock."
        >
          <SchemaFields form={form} {...shown} />
        </Card>
        <p class="actions">
          <button type="submit" class="button">
            Publish offer
          </button>
          <a class="button second" href={`${scene.root}/offers`}>
            Cancel
          </a>
        </p>
      </Form>
      <CommandLines
        form="call"
        values={values}
        call={callOf(scene, create_offer, {
          fields: form.lines,
          fixed: ids,
          headers: keyHeader(values),
        })}
        more={
          form.paid && ids.product_id
            ? [
                [
                  'The terms that it can name',
                  callOf(scene, list_offer_channels, { query: { product_id: ids.product_id } }),
                ],
              ]
            : []
        }
      />
    </ConsolePage>
  )
}

function ClosedTerms({ chosen: { channel, policy } }: Pick<NewOfferProps, 'chosen'>) {
  if (!channel) return null
  if (channel.status !== 'active')
    return <p class="warning">These terms are inactive, so you can’t create offers with them.</p>
  if (policy) return null
  return <p class="warning">These terms say nothing yet, so you can’t create offers with them.</p>
}

function SavedTerms({ chosen: { channel, policy } }: Pick<NewOfferProps, 'chosen'>) {
  if (!channel || !policy) return null
  const { approval, checkout, pricing, default_commercial_mode } = policy.policy
  const price = pricing.kind === 'fixed' ? pricing : pricing.default_price
  return (
    <dl class="facts">
      <Fact label="Saved terms">
        {channel.name}, revision {policy.number}
      </Fact>
      <Fact label="Approval">{approval === 'manual' ? 'Manual' : 'Automatic'}</Fact>
      <Fact label="Payment">{checkoutText(checkout)}</Fact>
      <Fact label={pricing.kind === 'fixed' ? 'Price' : 'Default price'}>
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
    return <p class="hint">This version has too many fields to show here. Use the API to prefill them.</p>
  if (schema.length === 0)
    return <p class="hint">Customers don’t need to fill in anything for this version.</p>
  return (
    <div class="column-of-fields">
      {schema.map(({ property, label, parts, isGroup, lock }) => {
        const fields = parts.map((spec, at) => (
          <FieldOf
            key={spec.name}
            spec={spec}
            values={values}
            problem={problems?.[spec.name] ?? (at === 0 ? problems?.[lock.name] : undefined)}
          />
        ))
        return (
          <div key={property} class="with-lock">
            {isGroup ? (
              <fieldset>
                <legend>
                  {label}
                  <span class="optional"> (optional)</span>
                </legend>
                {fields}
              </fieldset>
            ) : (
              fields
            )}
            <Lock spec={lock} label={label} isLocked={values[lock.name] === 'on'} />
          </div>
        )
      })}
    </div>
  )
}

interface LockProps {
  readonly spec: FieldSpec
  /** The name of the field that it locks. */
  readonly label: string
  readonly isLocked: boolean
}

const Lock = ({ spec, label, isLocked }: LockProps) => (
  <div class="check lock">
    <input type="checkbox" id={spec.name} name={spec.name} checked={isLocked} />
    <label for={spec.name}>
      {spec.label}
      <span class="unseen">: {label}</span>
    </label>
  </div>
)
