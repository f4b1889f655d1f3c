import type { operation } from '@svc/contract/auth-tokens/sessions/get-user'
import type { z } from 'zod'
import type { FieldSpec, FieldValues } from '../../kit/forms/field-spec.ts'
import { Fields } from '../../kit/forms/fields.tsx'
import { Form, ProblemSummary } from '../../kit/forms/form.tsx'
import type { Problems } from '../../kit/forms/form-fields.ts'
import { Page } from '../../kit/page/layout.tsx'
import type { Visit } from '../../kit/visit/visit.ts'
import { deleteFields, nameFields, passwordFields } from './fields.ts'

export interface AccountProps {
  readonly visit: Visit
  readonly user: z.output<typeof operation.output>
  readonly notice?: string
  readonly values?: FieldValues
  readonly problems?: Problems
}

const notices: Readonly<Record<string, string>> = {
  saved: 'Changes saved.',
  password: 'Password changed. All other sessions were signed out.',
}

export function Account({ visit, user, notice = '', values, problems }: AccountProps) {
  const text = Object.hasOwn(notices, notice) && notices[notice]
  const form = (action: string, fields: readonly FieldSpec[], button: string) => (
    <Form action={action} csrf={visit.csrf}>
      {/* Password managers store the address beside the password. */}
      <input type="email" value={user.email} autocomplete="username" readOnly tabIndex={-1} hidden />
      <Fields fields={fields} values={values ?? { name: user.name ?? '' }} problems={problems} />
      <p class="actions">
        <button type="submit" class="button">
          {button}
        </button>
      </p>
    </Form>
  )
  return (
    <Page title="Account" visit={visit} failed={problems !== undefined}>
      {text && (
        <p class="notice" role="status">
          {text}
        </p>
      )}
      <ProblemSummary problems={problems} />
      <h1>Account</h1>
      <p>
        <strong class="long">{user.email}</strong>
      </p>
      <p>
        <a href="/security">Passkeys and second factor</a> · <a href="/sessions">Sessions</a> ·{' '}
        <a href="/mail">Email preferences</a>
      </p>
      {form('/account', nameFields, 'Save name')}
      <h2 class="apart">Password</h2>
      <p>A new password signs you out everywhere else.</p>
      {form('/account/password', passwordFields, 'Change password')}
      <h2 class="apart">Delete account</h2>
      <p>Your memberships and sessions end. This can’t be undone.</p>
      <p class="actions">
        <a class="button danger" href="/account/delete">
          Delete account
        </a>
      </p>
    </Page>
  )
}

interface DeleteAccountProps {
  readonly visit: Visit
  readonly problems?: Problems
}

export const DeleteAccount = ({ visit, problems }: DeleteAccountProps) => (
  <Page title="Delete your account?" visit={visit} failed={problems !== undefined}>
    <ProblemSummary problems={problems} />
    <h1>Delete your account?</h1>
    <ul>
      <li>You’re signed out everywhere, and you leave all workspaces.</li>
      <li>Your address and name are erased from the account. You can sign up with the address again.</li>
      <li>
        A workspace that you alone own has to get another owner first, or be <a href="/console">deleted</a>.
      </li>
    </ul>
    <p>
      <a href="/docs/workspaces#deleting">What is kept, and for how long</a>
    </p>
    <Form action="/account/delete" csrf={visit.csrf}>
      <Fields fields={deleteFields} values={{}} problems={problems} />
      <p class="actions">
        <button type="submit" class="button danger">
          Delete account
        </button>
        <a class="button second" href="/account">
          Cancel
        </a>
      </p>
    </Form>
  </Page>
)
