import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handlers } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { createSession } from './create-session.ts'
import { endOtherSessions } from './end-other-sessions.ts'
import { endSession } from './end-session.ts'
import { listSessions } from './list-sessions.ts'
import { revokeSession } from './revoke-session.ts'
import { signIn } from './sign-in.ts'

export const sessionsHandlers = {
  list_sessions: listSessions,
  end_session: endSession,
  end_other_sessions: endOtherSessions,
  sign_in: signIn,
  create_session: createSession,
  revoke_session: revokeSession,
} satisfies Partial<Handlers<typeof authTokens, Deps>>
