import { type MailKind, mailGroups, mailKinds } from '@svc/contract/auth-tokens/mail'
import type { Workspace } from '../../kit/visit/acting.ts'
import { Form } from '../../kit/forms/form.tsx'
import { FactorNeeded } from '../../kit/page/factor-needed.tsx'
import { Page } from '../../kit/page/layout.tsx'
import type { Visit } from '../../kit/visit/visit.ts'
import { WorkspaceChoice } from '../../kit/visit/workspace-choice.tsx'

interface PreferencesProps {
  readonly visit: Visit
  readonly workspaces: readonly Workspace[]
  /** Undefined: there is none, or the person is not a member of the requested one. */
  readonly chosen: Workspace | undefined
  readonly preferences: Readonly<Record<MailKind, boolean>> | undefined
  /** The path of the page, where the workspace demands a second factor that the session does not have. */
  readonly needsFactorAt: string | undefined
  readonly saved: boolean
}

const groups = [
  ['As a seller', 'Sent to owners and admins.', mailGroups.seller],
  ['As a customer', 'About orders you placed.', mailGroups.customer],
  ['About the workspace', 'Sent to owners.', mailGroups.owner],
] as const

export function MailPreferences(props: PreferencesProps) {
  const { visit, workspaces, chosen, preferences, needsFactorAt, saved } = props
  return (
    <Page title="Email preferences" visit={visit} width="wide">
      {saved && (
        <p class="notice" role="status">
          Saved.
        </p>
      )}
      <h1>Email preferences</h1>
      <p>Emails about the security of your account are always sent.</p>
      <WorkspaceChoice path="/mail" workspaces={workspaces} chosen={chosen} />
      {workspaces.length === 0 && <p>You’re not in a workspace yet, so there’s nothing to choose.</p>}
      {workspaces.length > 0 && !chosen && <p>You are not a member of this workspace.</p>}
      {needsFactorAt !== undefined && (
        <p>
          <FactorNeeded path={needsFactorAt} />
        </p>
      )}
      {chosen && preferences && (
        <Form action="/mail" csrf={visit.csrf} hidden={{ workspace: chosen.id }}>
          <h2 class="long">{chosen.name}</h2>
          {groups.map(([title, hint, kinds]) => (
            <fieldset key={title}>
              <legend>{title}</legend>
              <p class="hint">{hint}</p>
              {kinds.map(kind => (
                <div key={kind} class="check">
                  <input id={kind} type="checkbox" name={kind} value="on" checked={preferences[kind]} />
                  <label for={kind}>{mailKinds[kind]}</label>
                </div>
              ))}
            </fieldset>
          ))}
          <p class="actions">
            <button type="submit" class="button">
              Save
            </button>
          </p>
        </Form>
      )}
    </Page>
  )
}
