import type { operation } from '@svc/contract/auth-tokens/invitations/list-invitations'
import type { z } from 'zod'
import { Form } from '../../kit/forms/form.tsx'
import { Page } from '../../kit/page/layout.tsx'
import { When } from '../../kit/ui/when.tsx'
import type { Person, Visit } from '../../kit/visit/visit.ts'

type Invitation = z.output<typeof operation.output>['data'][number]

interface InvitationsProps {
  readonly visit: Visit
  readonly person: Person
  readonly invitations: readonly Invitation[]
  readonly next_cursor: string | null
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
  const text = notices[notice ?? '']
  return (
    <Page title="Your invitations" visit={visit} width="wide">
      {text && (
        <p class="notice" role="status">
          {text}
        </p>
      )}
      <h1>Your invitations</h1>
      <p>
        Workspace names aren’t verified. Accept only if you know the owner: anything you order there belongs
        to the workspace and is visible to its members.
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
            ? 'You have no pending invitations.'
            : 'Confirm your email to see your invitations here.'}
        </p>
      )}
      {!person.verified && (
        <p class="actions">
          <a class="button" href="/sign-up?return_to=/invitations">
            Confirm your email
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
  declined: 'Invitation declined. We haven’t told the workspace anything about you.',
  closed: 'This invitation was already answered, was revoked, or has expired. Nothing was changed.',
  full: 'The workspace has reached its maximum number of members. Ask an owner to free up a place, then try again.',
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
          <dd class="long">{workspace.owner ?? 'None'}</dd>
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
            <When at={created_at} now={now} />
          </dd>
        </div>
        <div>
          <dt>Respond by</dt>
          <dd>
            <When at={expires_at} now={now} />
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
