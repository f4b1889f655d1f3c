import { Field, Form, ProblemSummary } from '../../kit/forms/form.tsx'
import type { Problems } from '../../kit/forms/form-fields.ts'
import { Page } from '../../kit/page/layout.tsx'
import type { Visit } from '../../kit/visit/visit.ts'

interface NewWorkspaceProps {
  readonly visit: Visit
  /** Whether the person is in none yet. */
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
      <Field
        name="name"
        label="Name"
        hint="Your company or team name. Customers see it on your offers; you can change it later."
        problem={problems?.name}
        input={{ value: name, autocomplete: 'organization', maxLength: 100 }}
      />
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
