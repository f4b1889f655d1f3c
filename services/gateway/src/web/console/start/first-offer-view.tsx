import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { keyField } from '../../kit/forms/creation-key.ts'
import type { FieldSpec, FieldValues } from '../../kit/forms/field-spec.ts'
import { Fields } from '../../kit/forms/fields.tsx'
import { Form, ProblemSummary } from '../../kit/forms/form.tsx'
import type { Problems } from '../../kit/forms/form-fields.ts'
import { Action, Card, PageHead } from '../../kit/ui/parts.tsx'
import { Paid } from '../offers/new/paid-view.tsx'
import { ConsolePage } from '../shell/console-page.tsx'
import type { Scene } from '../shell/scene.ts'
import { type Found, firstOfferForm } from './first-offer-fields.ts'

interface FirstOfferProps {
  readonly scene: Scene
  readonly found: Found
  readonly values: FieldValues
  readonly problems?: Problems
}

export function FirstOfferPage({ scene, found, values, problems }: FirstOfferProps) {
  const { name, paid, version, more } = firstOfferForm(found)
  const shown = { values, problems }
  return (
    <ConsolePage scene={scene} title="Publish your first offer" part="" failed={problems !== undefined}>
      <PageHead
        title="Publish your first offer"
        text={!found.offer && 'You get a link to send to your first customer.'}
      />
      <ProblemSummary problems={problems} />
      {found.offer ? (
        <Done scene={scene} id={found.offer.id} />
      ) : (
        <Card name="offer">
          <Form action={`${scene.root}/start`} csrf={scene.visit.csrf} hidden={keyField(values)}>
            <Fields fields={name} {...shown} />
            <Paid fields={paid} {...shown} />
            {version.length > 0 && <More title="Order form and instructions" fields={version} {...shown} />}
            <More title="Limit and message" fields={more} {...shown} />
            <p class="actions">
              <button type="submit" class="button">
                Publish offer
              </button>
            </p>
          </Form>
        </Card>
      )}
    </ConsolePage>
  )
}

interface MoreProps {
  readonly title: string
  readonly fields: readonly FieldSpec[]
  readonly values: FieldValues
  readonly problems: Problems | undefined
}

const More = ({ title, fields, values, problems }: MoreProps) => (
  <details class="more" open={fields.some(({ name }) => problems?.[name])}>
    <summary>{title}</summary>
    <div class="fields">
      <Fields fields={fields} values={values} problems={problems} />
    </div>
  </details>
)

const Done = ({ scene, id }: { readonly scene: Scene; readonly id: string }) => (
  <Card name="done" title="You’re all set" text="This workspace already has an offer.">
    <p class="actions">
      <Action href={`${scene.root}/offers/${id}`} look="main">
        View offer and link
      </Action>
      <Action href={`${scene.root}/offers/new`}>Create another offer</Action>
      {scene.may(authTokens.operations.add_member) && (
        <Action href={`${scene.root}/members/invite`}>Invite a teammate</Action>
      )}
    </p>
  </Card>
)
