import type { operation } from '@svc/contract/auth-tokens/sessions/list-sessions'
import type { z } from 'zod'
import { browserName } from '@svc/runtime/browser-name'
import { Form } from '../../kit/forms/form.tsx'
import { Page } from '../../kit/page/layout.tsx'
import { summaryOf } from '../../kit/ui/permission-words.ts'
import { When } from '../../kit/ui/when.tsx'
import type { Workspace } from '../../kit/visit/acting.ts'
import type { Visit } from '../../kit/visit/visit.ts'

type Session = z.output<typeof operation.output>['data'][number]

interface SessionsProps {
  readonly visit: Visit
  readonly sessions: readonly Session[]
  /** Empty unless one of the sessions is bound to a workspace. */
  readonly workspaces: readonly Workspace[]
  readonly next_cursor: string | null
  readonly first: boolean
  readonly ended: boolean
  readonly now: number
}

export function Sessions({ visit, sessions, workspaces, next_cursor, first, ended, now }: SessionsProps) {
  return (
    <Page title="Your sessions" visit={visit} width="wide">
      {ended && (
        <p class="notice" role="status">
          Session ended. It no longer has access to your account.
        </p>
      )}
      <h1>Your sessions</h1>
      <p>Browsers, apps and devices that can use your account. End any you don’t recognise.</p>
      <p>
        <a href="/account">Account and password</a> · <a href="/mail">Email preferences</a>
      </p>
      {(sessions.length > 1 || !first || next_cursor) && (
        <p>
          <a class="button danger" href="/sessions/end-others">
            Sign out all other sessions
          </a>
        </p>
      )}
      {sessions.length === 0 ? (
        <p>There are no more sessions.</p>
      ) : (
        <ul class="sessions">
          {sessions.map(session => (
            <li key={session.id}>
              <SessionCard session={session} workspaces={workspaces} csrf={visit.csrf} now={now} />
            </li>
          ))}
        </ul>
      )}
      {(!first || next_cursor) && (
        <nav class="actions" aria-label="More sessions">
          {!first && <a href="/sessions">Newest</a>}
          {next_cursor && <a href={`/sessions?cursor=${next_cursor}`}>Older</a>}
        </nav>
      )}
    </Page>
  )
}

export const EndOthers = ({ visit }: { readonly visit: Visit }) => (
  <Page title="Sign out all other sessions?" visit={visit}>
    <h1>Sign out all other sessions?</h1>
    <p>Every other browser and program is signed out immediately. API tokens keep working.</p>
    <Form action="/sessions/end-others" csrf={visit.csrf}>
      <p class="actions">
        <button type="submit" class="button danger">
          Sign out all other sessions
        </button>
        <a class="button second" href="/sessions">
          Cancel
        </a>
      </p>
    </Form>
  </Page>
)

interface SessionCardProps {
  readonly session: Session
  readonly workspaces: readonly Workspace[]
  readonly csrf: string
  readonly now: number
}

function SessionCard({ session, workspaces, csrf, now }: SessionCardProps) {
  const { permissions, workspace_id } = session
  const { id, client, address, user_agent, created_at, expires_at, current } = session
  const name = client?.name ?? browserName(user_agent) ?? 'Unknown program'
  return (
    <article aria-labelledby={`${id}-name`}>
      <h2 id={`${id}-name`} class="long">
        {name} {current && <span class="badge">This browser</span>}
      </h2>
      <dl class="facts">
        {client && user_agent && (
          <div>
            <dt>Identifies as</dt>
            <dd class="long">{user_agent}</dd>
          </div>
        )}
        <div>
          <dt>From</dt>
          <dd class="long">{address || 'an unknown address'}</dd>
        </div>
        {permissions && (
          <div>
            <dt>Can do</dt>
            <dd>{summaryOf(permissions)}</dd>
          </div>
        )}
        {workspace_id !== null && (
          <div>
            <dt>Only in</dt>
            <dd class="long">{workspaces.find(one => one.id === workspace_id)?.name ?? workspace_id}</dd>
          </div>
        )}
        <div>
          <dt>Started</dt>
          <dd>
            <When at={created_at} now={now} />
          </dd>
        </div>
        <div>
          <dt>Last used</dt>
          <dd>{lastUse(session, now)}</dd>
        </div>
        <div>
          <dt>Expires</dt>
          <dd>
            <When at={expires_at} now={now} />
          </dd>
        </div>
      </dl>
      <Form action="/sessions/end" csrf={csrf} hidden={{ id }}>
        <button type="submit" class="button danger" aria-describedby={`${id}-name`}>
          {current ? 'End and sign out' : 'End'}
        </button>
      </Form>
    </article>
  )
}

/** Uses are recorded some seconds late; that of the page itself is known. */
function lastUse({ current, last_used_at }: Session, now: number) {
  if (current) return 'now'
  return last_used_at === null ? 'never' : <When at={last_used_at} now={now} />
}
