import { ProblemSummary } from '../../kit/forms/form.tsx'
import type { Problems } from '../../kit/forms/form-fields.ts'
import { Page } from '../../kit/page/layout.tsx'
import { passkeysScriptPath } from '../../kit/page/stylesheet.ts'
import { When } from '../../kit/ui/when.tsx'
import type { Visit } from '../../kit/visit/visit.ts'
import { ProofForms, type Ways } from '../security/proof.tsx'

export interface Waiting {
  readonly client_name: string | null
  readonly address: string | null
  readonly user_agent: string | null
  readonly created_at: number
}

interface ConfirmProps {
  readonly visit: Visit
  readonly action: string
  readonly cancel: string
  readonly hidden: Readonly<Record<string, string>>
  /** Undefined: the person has no second factor, and proves the password. */
  readonly ways: Ways | undefined
  readonly problems?: Problems | undefined
  /** The session of a command line that is confirmed, and not the browser's. */
  readonly waiting?: { readonly code: string; readonly session: Waiting; readonly now: number }
}

export function Confirm({ visit, action, cancel, hidden, ways, problems, waiting }: ConfirmProps) {
  const title = waiting ? 'Confirm this session?' : 'Confirm it’s you'
  return (
    <Page
      title={title}
      visit={visit}
      failed={problems !== undefined}
      scripts={ways?.options ? [passkeysScriptPath] : []}
    >
      <ProblemSummary problems={problems} />
      <h1>{title}</h1>
      {waiting ? (
        <WaitingSession {...waiting} />
      ) : (
        <p>This step gives lasting access, so we ask again who you are. Nothing you entered is lost.</p>
      )}
      <ProofForms {...{ action, hidden, ways, problems }} csrf={visit.csrf} button="Confirm" />
      <p class="aside">
        <a href={cancel}>Cancel</a>
        {!ways && (
          <>
            {' '}
            · <a href="/forgot-password">Forgot password?</a>
          </>
        )}
      </p>
    </Page>
  )
}

/** Somebody who was sent another person's link must be able to notice it here, as at `/device`. */
const WaitingSession = ({ code, session, now }: NonNullable<ConfirmProps['waiting']>) => (
  <>
    <p>
      Does your terminal show this code? <code>{code}</code>
    </p>
    <dl class="facts">
      <div>
        <dt>Program</dt>
        <dd class="long">{session.client_name ?? 'not stated'}</dd>
      </div>
      <div>
        <dt>Started from</dt>
        <dd class="long">{session.address || 'an unknown address'}</dd>
      </div>
      <div>
        <dt>Identifies as</dt>
        <dd class="long">{session.user_agent || 'not stated'}</dd>
      </div>
      <div>
        <dt>Signed in</dt>
        <dd>
          <When at={session.created_at} now={now} />
        </dd>
      </div>
    </dl>
    <p>For ten minutes it can create API tokens, appoint owners and approve devices, as you.</p>
    <aside class="warning" aria-labelledby="warning-title">
      <h2 id="warning-title">Did someone send you this link?</h2>
      <p>
        Then don’t confirm, and <a href="/sessions">end the session</a>: somebody else is using your account.
      </p>
    </aside>
  </>
)

interface OutcomeProps {
  readonly visit: Visit
  readonly isConfirmed: boolean
}

export const ConfirmOutcome = ({ visit, isConfirmed }: OutcomeProps) => (
  <Page title={isConfirmed ? 'Confirmed' : 'This code is no longer valid'} visit={visit}>
    {isConfirmed && (
      <svg class="mark approved" viewBox="0 0 48 48" aria-hidden="true">
        <circle cx="24" cy="24" r="22" />
        <path d="M14 25l7 7 13-15" />
      </svg>
    )}
    <h1>{isConfirmed ? 'Confirmed' : 'This code is no longer valid'}</h1>
    <p>
      {isConfirmed
        ? 'You can close this page and return to your terminal, which continues by itself.'
        : 'It was already confirmed, was replaced by a newer one, or belongs to another account. A code is valid for ten minutes: run the command again to get a new one.'}
    </p>
    <p class="actions">
      <a class="button second" href="/sessions">
        See your sessions
      </a>
    </p>
  </Page>
)
