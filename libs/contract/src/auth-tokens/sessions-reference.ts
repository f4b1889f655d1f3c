/** What the OpenAPI document says of sessions. */
import type { Reference } from '../openapi/operation-reference.ts'

export const sessionsReference = {
  list_sessions: { group: 'Sessions', description: 'Newest first, browsers and command lines alike.' },
  end_session: {
    group: 'Sessions',
    description:
      'Its token is refused everywhere as soon as this call returns. `current` is the session used for the request.',
  },
  get_user: {
    group: 'Sessions',
    description:
      'The person who is signed in. An API token belongs to a workspace, not to a person, and is refused.',
  },
} as const satisfies Record<string, Reference>
