import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { callOf } from '../forms/call-of.ts'
import { CommandLines } from '../forms/command-lines-view.tsx'
import type { FieldSpec, FieldValues } from '../../kit/forms/field-spec.ts'
import { Fields } from '../../kit/forms/fields.tsx'
import { beganWith, changedFields, send, valuesOf } from '../../kit/forms/submitted.ts'
import { Form, ProblemSummary } from '../../kit/forms/form.tsx'
import { ConsolePage } from '../shell/console-page.tsx'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import type { Answer } from '../ui/answers.ts'
import { Card, Fact, PageHead } from '../../kit/ui/parts.tsx'
import { deleteWorkspacePages } from './delete-workspace.tsx'
import { licenceKeyPages } from './licence-keys.tsx'
import { Quotas } from './quotas.tsx'

const { update_workspace, delete_workspace } = authTokens.operations

const fields: readonly FieldSpec[] = [
  { name: 'name', label: 'Name', hint: 'Customers see it on your offers.' },
  {
    name: 'support_email',
    label: 'Support email',
    kind: 'email',
    isOptional: true,
    empty: null,
    hint: 'Shown on your offers and orders. Leave blank to hide.',
  },
]

/** Only owners may change it, so admins do not send it. */
const factorField: FieldSpec = {
  name: 'require_second_factor',
  label: 'Require a second factor',
  kind: 'check',
  hint: 'Members who signed in without a passkey or authenticator app can’t use this workspace, from the moment you save. API tokens aren’t affected. You need a second factor yourself.',
}
const fieldsFor = ({ member }: Scene) => (member.role === 'owner' ? [...fields, factorField] : fields)

export function settingsPages(pages: ConsolePages) {
  const { get, post } = pages
  deleteWorkspacePages(pages)
  licenceKeyPages(pages)

  get('/settings', async scene => {
    const { name, support_email, require_second_factor } = scene.workspace
    const values = {
      name,
      support_email: support_email ?? '',
      ...(require_second_factor && { require_second_factor: 'on' }),
    }
    return scene.show(page(scene, await readLimits(scene), values))
  })

  post('/settings', async scene => {
    const values = valuesOf(scene)
    const params = { id: scene.workspace.id }
    const changed = changedFields(fieldsFor(scene), values)
    if (changed.length === 0) return scene.go('/settings', 'saved')
    const sent = await send(changed, values, body =>
      scene.invoke(authTokens, 'update_workspace', { params, body }),
    )
    if ('done' in sent) return scene.go('/settings', 'saved')
    return scene.show(
      page(scene, await readLimits(scene), values, sent.refused.problems),
      sent.refused.status,
    )
  })
}

const readLimits = (scene: Scene) => scene.invoke(authTokens, 'get_limits', {})

function page(
  scene: Scene,
  limits: Answer<'get_limits'>,
  values: FieldValues,
  problems?: Readonly<Record<string, string>>,
) {
  const mayChange = scene.may(update_workspace)
  const fields = fieldsFor(scene)
  const call = callOf(scene, update_workspace, {
    params: { id: scene.workspace.id },
    fields,
  })
  return (
    <ConsolePage scene={scene} title="Settings" part="/settings" failed={problems !== undefined}>
      <PageHead title="Settings" id={scene.workspace.id} />
      <ProblemSummary problems={problems} />
      <Card name="workspace" title="Workspace">
        {mayChange ? (
          <Form
            action={`${scene.root}/settings`}
            csrf={scene.visit.csrf}
            id="call"
            hidden={beganWith(fields, values)}
          >
            <Fields {...{ fields, values, problems }} />
            {scene.member.role === 'admin' && <p class="hint">Second factor: {factorText(scene)}.</p>}
            <p class="actions">
              <button type="submit" class="button">
                Save
              </button>
            </p>
          </Form>
        ) : (
          <dl class="facts">
            <Fact label="Name">{values.name}</Fact>
            <Fact label="Support email">{values.support_email || 'None'}</Fact>
            <Fact label="Second factor">{factorText(scene)}</Fact>
          </dl>
        )}
      </Card>
      <Quotas quotas={limits.quotas} />
      <Card
        name="licence-keys"
        title="Licence keys"
        text="Your program verifies licences of installs with them."
      >
        <p class="actions">
          <a class="button" href={`${scene.root}/settings/licence-keys`}>
            View licence keys
          </a>
        </p>
      </Card>
      <Card name="leave" title="Leave workspace" text="You lose access to this workspace." danger>
        <p class="actions">
          <a class="button danger" href={`${scene.root}/members/${scene.member.user}/remove`}>
            Leave workspace
          </a>
        </p>
      </Card>
      {scene.may(delete_workspace) && (
        <Card name="delete" title="Delete workspace" text="Nobody can use it any more." danger>
          <p class="actions">
            <a class="button danger" href={`${scene.root}/settings/delete`}>
              Delete workspace
            </a>
          </p>
        </Card>
      )}
      {mayChange && <CommandLines call={call} values={values} form="call" />}
    </ConsolePage>
  )
}

const factorText = ({ workspace }: Scene) =>
  workspace.require_second_factor ? 'Required of all members' : 'Not required'
