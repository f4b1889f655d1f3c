import type { invitationOperations } from '@svc/contract/invitations'
import type { z } from 'zod'
import { Form } from './form.tsx'
import { Page } from './layout.tsx'
import { Moment } from './moment.tsx'
import type { Person, Visit } from './visit.ts'

type Invitation = z.output<typeof invitationOperations.list_invitations.output>['data'][number]

interface InvitationsProps {
  readonly visit: Visit
  readonly person: Person
  readonly invitations: readonly Invitation[]
  readonly next_cursor: string | null
  /** Whether these are the newest ones. */
  readonly first: boolean
  readonly notice: string | null
  readonly now: number
}

export function Invitations({
  visit,
  person,
  invitations,
  next_cursor,
  first,
  notice,
  now,
}: InvitationsProps) {
  const told = notices[notice ?? '']
  return (
    <Page title="Your invitations" visit={visit} wide>
      {told && (
        <p class="notice" role="status">
          {told}
        </p>
      )}
      <h1>Your invitations</h1>
      <p>
        Anybody may give a workspace any name. Accept where you know the owner: what you order for a workspace
        belongs to it, and its members see it.
      </p>
      {invitations.length > 0 ? (
        <ul class="invitations">
          {invitations.map(invitation => (
            <li key={invitation.id}>
              <InvitationCard invitation={invitation} csrf={visit.csrf} now={now} />
            </li>
          ))}
        </ul>
      ) : (
        <p>
          {person.verified
            ? 'There are none that wait for your answer.'
            : 'You see invitations here once you have shown that the address is yours.'}
        </p>
      )}
      {!person.verified && (
        <p class="actions">
          <a class="button" href="/sign-up?return_to=/invitations">
            Confirm your address
          </a>
        </p>
      )}
      {(!first || next_cursor) && (
        <nav class="actions" aria-label="More invitations">
          {!first && <a href="/invitations">Newest</a>}
          {next_cursor && <a href={`/invitations?cursor=${next_cursor}`}>Older</a>}
        </nav>
      )}
    </Page>
  )
}

const notices: Record<string, string> = {
  accepted: 'You are a member of the workspace now.',
  declined: 'You have declined. Nothing of yours is shown to the workspace.',
  closed: 'This invitation was answered already, was taken back, or has expired. Nothing was changed.',
  full: 'The workspace has as many members as it may have. Ask its owner to make room, and accept again.',
}

interface InvitationCardProps {
  readonly invitation: Invitation
  readonly csrf: string
  readonly now: number
}

function InvitationCard({ invitation, csrf, now }: InvitationCardProps) {
  const { id, workspace, role, invited_by, created_at, expires_at } = invitation
  return (
    <article aria-labelledby={`${id}-name`}>
      <h2 id={`${id}-name`} class="long">
        {workspace.name}
      </h2>
      <dl class="facts">
        <div>
          <dt>Owner</dt>
          <dd class="long">{workspace.owner ?? 'nobody'}</dd>
        </div>
        {invited_by && invited_by !== workspace.owner && (
          <div>
            <dt>Invited by</dt>
            <dd class="long">{invited_by}</dd>
          </div>
        )}
        <div>
          <dt>Your role</dt>
          <dd>{role}</dd>
        </div>
        <div>
          <dt>Invited</dt>
          <dd>
            <Moment at={created_at} now={now} />
          </dd>
        </div>
        <div>
          <dt>Answer until</dt>
          <dd>
            <Moment at={expires_at} now={now} />
          </dd>
        </div>
      </dl>
      <div class="actions">
        <Form action="/invitations/accept" csrf={csrf} hidden={{ id }}>
          <button type="submit" class="button" aria-describedby={`${id}-name`}>
            Accept
          </button>
        </Form>
        <Form action="/invitations/decline" csrf={csrf} hidden={{ id }}>
          <button type="submit" class="button danger" aria-describedby={`${id}-name`}>
            Decline
          </button>
        </Form>
      </div>
    </article>
  )
}
