import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import { presets } from '@svc/contract/core/permissions'
import { keyField, keyHeader, sentKey, shownAgain, withNewKey } from '../../../kit/forms/creation-key.ts'
import type { FieldSpec, FieldValues } from '../../../kit/forms/field-spec.ts'
import { formField } from '../../../kit/forms/schema-fields.ts'
import { send, valuesOf } from '../../../kit/forms/submitted.ts'
import { Card } from '../../../kit/ui/parts.tsx'
import { callOf } from '../../forms/call-of.ts'
import { FormPage } from '../../forms/form-page.tsx'
import type { ConsolePages, Scene } from '../../shell/scene.ts'
import type { Answer, Item } from '../../ui/answers.ts'
import { permissionChoices } from '../narrowing-fields.ts'
import { nameOfRun, suggested } from './attempts.tsx'
import { ClaimList } from './claim-list.tsx'

const { create_ci_trust } = authTokens.operations
const crumbs = [
  { label: 'API tokens', path: '/tokens' },
  { label: 'CI trusts', path: '/tokens/ci' },
]

type Attempts = Answer<'list_ci_attempts'>
type Problems = Readonly<Record<string, string>>

const fieldsOf = (issuers: Attempts['issuers']): readonly FieldSpec[] => [
  { name: 'name', label: 'Name', hint: 'What the job does, for example “Release”.' },
  {
    name: 'issuer',
    label: 'CI system',
    kind: 'select',
    choices: issuers.map(({ issuer, name }) => [issuer, name] as const),
  },
  {
    name: 'claims',
    label: 'Claims',
    kind: 'json',
    rows: 7,
    isFile: true,
    hint: 'What the run’s ID token must say, word for word. Trusting a refused run fills this in.',
  },
  {
    name: 'permissions',
    label: 'Permissions',
    kind: 'checks',
    choices: permissionChoices,
  },
  formField(create_ci_trust, {
    name: 'minutes',
    label: 'Minutes that each token lives',
    isOptional: false,
    hint: '5 to 60. The job can’t renew it, so leave time for its last step.',
  }),
]

const granted = Object.fromEntries(presets.ci.map(name => [`permissions.${name}`, 'on']))

export function newTrustPages({ get, post }: ConsolePages) {
  get('/tokens/ci/new', async scene => {
    if (!scene.may(create_ci_trust)) throw refusal('role_too_low')
    const { attempts, attempt } = await read(scene)
    const values = {
      ...granted,
      minutes: '15',
      ...(attempt && {
        name: nameOfRun(attempt),
        issuer: attempt.issuer,
        claims: JSON.stringify(suggested(attempt), null, 2),
      }),
    }
    return scene.show(page(scene, attempts, attempt, withNewKey(values)))
  })

  post('/tokens/ci/new', async scene => {
    const values = valuesOf(scene)
    const { attempts, attempt } = await read(scene)
    const sent = await send(fieldsOf(attempts.issuers), values, body =>
      scene.invoke(authTokens, 'create_ci_trust', { headers: sentKey(values), body }),
    )
    if ('done' in sent) return scene.go('/tokens/ci', 'created')
    const again = shownAgain(values, sent.refused)
    return scene.show(page(scene, attempts, attempt, again.values, again.problems), again.status)
  })
}

async function read(scene: Scene) {
  const attempts = await scene.invoke(authTokens, 'list_ci_attempts', {})
  return { attempts, attempt: attempts.data.find(({ id }) => id === scene.query.get('attempt')) }
}

function page(
  scene: Scene,
  { issuers }: Attempts,
  attempt: Item<'list_ci_attempts'> | undefined,
  values: FieldValues,
  problems?: Problems,
) {
  const fields = fieldsOf(issuers)
  return (
    <FormPage
      scene={scene}
      title={attempt ? `Trust runs of ${nameOfRun(attempt)}` : 'New CI trust'}
      part="/tokens"
      crumbs={crumbs}
      text={attempt && 'Check that the repository is yours: anyone can ask for your trust.'}
      action={`/tokens/ci/new${attempt ? `?attempt=${attempt.id}` : ''}`}
      call={callOf(scene, create_ci_trust, { fields, headers: keyHeader(values) })}
      hidden={keyField(values)}
      {...{ fields, values, problems }}
      button="Create trust"
      back="/tokens/ci"
      below={
        attempt && (
          <Card name="run" title="What the run says">
            <ClaimList claims={attempt.claims} />
          </Card>
        )
      }
    />
  )
}
