/** What the OpenAPI document says of sessions. */
import type { Reference } from '../openapi/operation-reference.ts'

export const sessionsReference = {
  list_sessions: {
    command: {
      name: 'sessions list',
      columns: [
        "current: current && '*' || ''",
        'id',
        "client: client.name || 'browser'",
        'address',
        'last_used_at',
        'expires_at',
        'user_agent',
      ],
    },
    page: '~/sessions',
    group: 'Sessions',
    description: 'Newest first, browsers and command lines alike.',
  },
  end_session: {
    command: {
      name: 'sessions end',
      help: 'End a session: whoever uses it is signed out.',
      ids: { id: 'sess_…, or current' },
      examples: ['sessions end sess_01h455vb4pex5vsknk084sn02q'],
    },
    page: '~/sessions/end',
    group: 'Sessions',
    description:
      'Its token is refused everywhere as soon as this call returns. `current` is the session used for the request.',
  },
  end_other_sessions: {
    command: { name: 'sessions end-others', own: true },
    page: '~/sessions/end-others',
    group: 'Sessions',
    description:
      'Their tokens are refused everywhere as soon as this call returns, and so are the JWTs that were issued for them. With a JWT, the session that it was issued for stays; with a JWT of another issuer, all of them end. A device that is about to sign in has to ask again.',
  },
  get_user: {
    command: { name: 'whoami', own: true },
    page: { reason: 'Each page says who is signed in, as it is read with the session.' },
    group: 'Sessions',
    description:
      'The person who is signed in. An API token belongs to a workspace, not to a person, and is refused.',
  },
} as const satisfies Record<string, Reference>
