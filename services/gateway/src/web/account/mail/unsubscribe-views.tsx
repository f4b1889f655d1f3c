import { mailKinds, type MailKind } from '@svc/contract/auth-tokens/mail'
import { Page } from '../../kit/page/layout.tsx'

interface LinkProps {
  readonly kind: MailKind
  readonly workspace: string | null
}

export function AskToStop({ kind, workspace, action }: LinkProps & { readonly action: string }) {
  return (
    <Page title="Unsubscribe">
      <h1>Unsubscribe from these emails?</h1>
      <WhatIsSent kind={kind} workspace={workspace} />
      <form method="post" action={action}>
        <p class="actions">
          <button type="submit" class="button">
            Unsubscribe
          </button>
        </p>
      </form>
      <Choose />
    </Page>
  )
}

export function Stopped({ kind, workspace }: LinkProps) {
  return (
    <Page title="You’ve been unsubscribed">
      <h1>You’ve been unsubscribed</h1>
      <WhatIsSent kind={kind} workspace={workspace} />
      <Choose />
    </Page>
  )
}

export function LinkInvalid() {
  return (
    <Page title="This link is not valid">
      <h1>This link is not valid</h1>
      <p>It may have been cut off by a mail program. Nothing was changed.</p>
      <Choose />
    </Page>
  )
}

function WhatIsSent({ kind, workspace }: LinkProps) {
  return (
    <dl class="facts">
      <div>
        <dt>Email</dt>
        <dd>{mailKinds[kind]}</dd>
      </div>
      {workspace !== null && (
        <div>
          <dt>Workspace</dt>
          <dd class="long">{workspace}</dd>
        </div>
      )}
    </dl>
  )
}

const Choose = () => (
  <p>
    <a href="/mail">Manage email preferences</a>
  </p>
)
