/** Who may call an operation, as the document says it. */
import type { CredentialKind } from './caller.ts'
import type { Access } from './operation.ts'

export const securitySchemes = {
  api_token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'sk_svc_…',
    description: 'A workspace API token, for scripts and CI. It acts in its own workspace, as a member.',
  },
  jwt: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An OAuth 2.0 JWT (RFC 9068), got for a session by token exchange; it lasts ten minutes.',
  },
  session: {
    type: 'http',
    scheme: 'bearer',
    description: 'A session token of 32 characters: a person, in every workspace that they are a member of.',
  },
} as const satisfies Record<CredentialKind, object>

/** One of the credentials, or none where the operation is open to everybody. */
export function securityOf({ credentials, anonymous }: Access) {
  if (anonymous && credentials.length === 0) return []
  return [...(anonymous ? [{}] : []), ...credentials.map(kind => ({ [kind]: [] }))]
}

/** One sentence on who may call it. */
export function whoMay({ credentials, anonymous, workspace, workspaceParam, roles }: Access): string {
  if (anonymous) {
    return credentials.length > 0
      ? '**Who:** everybody, with or without a credential.'
      : '**Who:** see above.'
  }
  const people = credentials.includes('api_token')
    ? 'a person or an API token'
    : 'a person (session token or JWT), not an API token'
  if (!workspace && !workspaceParam) return `**Who:** ${people}; no workspace is needed.`
  const role = roles.includes('member') ? 'of any role' : `as ${roles.join(' or ')}`
  const where = workspaceParam ? 'the workspace in the path' : 'the workspace'
  // An API token is a member: an operation for owners and admins is for people.
  const who = roles.includes('member') ? people : 'a person, not an API token'
  return `**Who:** ${who}, ${role} in ${where}.`
}
