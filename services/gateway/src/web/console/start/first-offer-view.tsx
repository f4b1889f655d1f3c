import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { offers } from '@svc/contract/offers/offers'
import { Form, ProblemSummary } from '../../kit/forms/form.tsx'
import type { Problems } from '../../kit/forms/form-fields.ts'
import { callOf } from '../forms/call-of.ts'
import { CommandLines } from '../forms/command-lines-view.tsx'
import { keyField, keyHeader } from '../../kit/forms/creation-key.ts'
import type { FieldValues } from '../../kit/forms/field-spec.ts'
import { Fields } from '../../kit/forms/fields.tsx'
import { ConsolePage } from '../shell/console-page.tsx'
import type { Scene } from '../shell/scene.ts'
import { Action, Card, PageHead } from '../../kit/ui/parts.tsx'
import { fieldsOf } from './first-offer-fields.ts'
import type { Found, Step } from './first-offer-steps.ts'

interface FirstOfferProps {
  readonly scene: Scene
  readonly found: Found
  readonly step: Step | undefined
  readonly values: FieldValues
  readonly problems?: Problems
}

const texts: readonly (readonly [step: Step, title: string, text: string])[] = [
  ['package', 'Name your software', 'A package is what customers install.'],
  ['version', 'Publish a version', 'A version defines what customers fill in when they order.'],
  ['product', 'Create a product', 'This is what customers see on the offer.'],
  ['offer', 'Publish the offer', 'Get a link you can send to your first customer.'],
]

export function FirstOfferPage({ scene, found, step, values, problems }: FirstOfferProps) {
  const at = step ? texts.findIndex(([name]) => name === step) : texts.length
  return (
    <ConsolePage scene={scene} title="Publish your first offer" part="" failed={problems !== undefined}>
      <PageHead
        title="Publish your first offer"
        text="Four steps. You can stop at any point and pick up later."
      />
      <ProblemSummary problems={problems} />
      <ol class="steps-to-start">
        {texts.map(([name, title, text], place) => (
          <li
            key={name}
            class={place < at ? 'done' : place === at ? 'now' : undefined}
            aria-current={place === at ? 'step' : undefined}
          >
            <div>
              <strong>{title}</strong>
              {place < at && <span class="unseen"> (done)</span>}
              <p class="hint long">{place < at ? doneText(name, found) : text}</p>
            </div>
          </li>
        ))}
      </ol>
      {step ? (
        <>
          <Card name="step" title={texts[at]?.[1] ?? ''}>
            <Form
              action={`${scene.root}/start`}
              csrf={scene.visit.csrf}
              id="call"
              hidden={{ step, ...keyField(values) }}
            >
              <Fields fields={fieldsOf[step]} values={values} problems={problems} />
              <p class="actions">
                <button type="submit" class="button">
                  {step === 'offer' ? 'Publish offer' : 'Continue'}
                </button>
              </p>
            </Form>
          </Card>
          <CommandLines call={lineOf(scene, step, found, values)} values={values} form="call" />
        </>
      ) : (
        <Card name="done" title="You’re all set" text="This workspace already has an offer.">
          <p class="actions">
            <Action href={`${scene.root}/offers/${found.offer?.id}`} look="main">
              View offer and link
            </Action>
            <Action href={`${scene.root}/offers/new`}>Create another offer</Action>
            {scene.may(authTokens.operations.add_member) && (
              <Action href={`${scene.root}/members/invite`}>Invite a teammate</Action>
            )}
          </p>
        </Card>
      )}
    </ConsolePage>
  )
}

function doneText(step: Step, found: Found): string {
  if (step === 'version') return found.version?.version ?? ''
  return (step === 'product' ? found.product?.name : found.package?.name) ?? ''
}

function lineOf(scene: Scene, step: Step, found: Found, values: FieldValues) {
  const { create_package, create_package_version, create_product, create_offer } = offers.operations
  const fields = fieldsOf[step]
  const headers = keyHeader(values)
  const package_id = found.package?.id ?? ''
  const version = found.version?.id ?? ''
  switch (step) {
    case 'package':
      return callOf(scene, create_package, { fields, headers })
    case 'version':
      return callOf(scene, create_package_version, {
        params: { id: package_id },
        fields,
      })
    case 'product':
      return callOf(scene, create_product, {
        fields,
        headers,
        fixed: { package_id, current_package_version_id: version },
      })
    case 'offer':
      return callOf(scene, create_offer, {
        fields,
        headers,
        fixed: { product_id: found.product?.id, package_version_id: version, order_ttl_minutes: 1440 },
      })
  }
}
