import { workspaceNameField } from '../../kit/forms/account-fields.ts'
import { Fields } from '../../kit/forms/fields.tsx'
import { Form, ProblemSummary } from '../../kit/forms/form.tsx'
import type { Problems } from '../../kit/forms/form-fields.ts'
import { Page } from '../../kit/page/layout.tsx'
import type { Visit } from '../../kit/visit/visit.ts'

export const fields = [
  workspaceNameField(
    'name',
    'Name',
    'Your company or team name. Customers see it on your offers; you can change it later.',
  ),
]

interface NewWorkspaceProps {
  readonly visit: Visit
  readonly isFirst: boolean
  readonly name: string
  readonly hidden: Readonly<Record<string, string>>
  readonly problems?: Problems
}

export const NewWorkspacePage = ({ visit, isFirst, name, hidden, problems }: NewWorkspaceProps) => (
  <Page title="New workspace" visit={visit} failed={problems !== undefined}>
    <h1>{isFirst ? 'Create your workspace' : 'New workspace'}</h1>
    <ProblemSummary problems={problems} />
    <p>
      A workspace holds your offers, orders, API tokens and clusters. You’ll be its owner and can invite your
      team.
    </p>
    <Form action="/console/new" csrf={visit.csrf} hidden={hidden}>
      <Fields fields={fields} values={{ name }} problems={problems} />
      <p class="actions">
        <button type="submit" class="button">
          Create workspace
        </button>
      </p>
    </Form>
    {isFirst && (
      <p class="aside">
        Were you invited to a workspace? <a href="/invitations">View your invitations</a>.
      </p>
    )}
  </Page>
)
