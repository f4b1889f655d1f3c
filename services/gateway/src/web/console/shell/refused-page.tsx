import type { ApiError } from '@svc/contract/core/errors'
import { errorText } from '../../kit/page/error-text.tsx'
import { Form } from '../../kit/forms/form.tsx'
import { sentFields } from '../../kit/forms/form-fields.ts'
import { FactorNeeded } from '../../kit/page/factor-needed.tsx'
import { isRefusedAs } from '../../kit/forms/refused-as.ts'
import { returnTo } from '../../kit/visit/return-to.ts'
import { withQuery } from '../ui/list.tsx'
import { asWords } from '../../kit/ui/words.ts'
import { ConsolePage } from './console-page.tsx'
import type { Scene } from './scene.ts'

export function RefusedPage({ scene, refused }: { readonly scene: Scene; readonly refused: ApiError }) {
  const missing = refused.status === 404
  const title = missing
    ? 'Not found'
    : isRefusedAs(refused, 'second_factor_required')
      ? 'Second factor required'
      : 'Not allowed'
  return (
    <ConsolePage scene={scene} title={title}>
      <h1>{title}</h1>
      {missing ? (
        <p>
          We couldn’t find this page in <strong class="long">{scene.workspace.name}</strong>. It may have been
          deleted, or it may belong to another workspace.
        </p>
      ) : isRefusedAs(refused, 'second_factor_required') ? (
        <p>
          <FactorNeeded path={scene.request.url} />
        </p>
      ) : (
        <NotPermitted scene={scene} refused={refused} />
      )}
      <p class="actions">
        <a class="button second" href={scene.root}>
          Back to Home
        </a>
      </p>
      <RequestId scene={scene} />
    </ConsolePage>
  )
}

/** A refusal that is not about the role explains itself better. */
function NotPermitted({ scene: { member }, refused }: { readonly scene: Scene; readonly refused: ApiError }) {
  const { role } = member
  const ask = { owner: '', admin: ' Ask an owner.', member: ' Ask an owner or admin.' }[role]
  return (
    <p>
      {isRefusedAs(refused, 'role_too_low') ? 'You don’t have permission to do this.' : refused.message} Your
      role here is {asWords(role)}.{ask}
    </p>
  )
}

/** A list's page is identified by the end of the previous one, in a URL that may be too old. */
export const StaleListPage = ({ scene }: { readonly scene: Scene }) => (
  <ConsolePage scene={scene} title="Not available">
    <h1>This page of the list is no longer available</h1>
    <p class="actions">
      <a class="button" href={withQuery(scene, {})}>
        First page
      </a>
    </p>
    <RequestId scene={scene} />
  </ConsolePage>
)

interface UnansweredProps {
  readonly scene: Scene
  readonly refused: ApiError
  readonly hasSecrets: boolean
}

/** A service does not answer. One click sends the values again; another one shows what others do. */
export function UnansweredPage({ scene, refused, hasSecrets }: UnansweredProps) {
  const { request, visit } = scene
  const { title, text } = errorText(refused, request)
  const address = returnTo(request.url)
  const isForm = request.method === 'POST'
  const canResend = isForm && !hasSecrets && address === request.url
  return (
    <ConsolePage scene={scene} title={title}>
      <h1>{title}</h1>
      <p>{text}</p>
      <div class="actions">
        {canResend && (
          <Form action={address} csrf={visit.csrf} hidden={sentFields(request)}>
            <button type="submit" class="button">
              Send again
            </button>
          </Form>
        )}
        <a class={canResend ? 'button second' : 'button'} href={address}>
          {isForm ? 'Back' : 'Try again'}
        </a>
      </div>
      <RequestId scene={scene} />
    </ConsolePage>
  )
}

const RequestId = ({ scene }: { readonly scene: Scene }) => (
  <p class="hint">
    Request ID: <code class="long">{scene.request.id}</code>
  </p>
)
