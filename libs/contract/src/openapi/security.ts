import type { CredentialKind } from '../core/caller.ts'
import { headerName, type Operation } from '../core/operation.ts'
import { beyondMembers, type Permission } from '../core/permissions.ts'

export const securitySchemes = {
  api_token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'sk_svc_…',
    description: 'A workspace API token, for scripts and CI. It acts as a member of its own workspace.',
  },
  jwt: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'An OAuth 2.0 JWT (RFC 9068), obtained for a session by token exchange; valid for ten minutes.',
  },
  session: {
    type: 'http',
    scheme: 'bearer',
    description: 'A session token of 32 characters: a person, in every workspace that they are a member of.',
  },
  install_credential: {
    type: 'apiKey',
    in: 'header',
    name: headerName('svc-install-credential'),
    description: 'The credential of an install, with which it reads its own values and nothing else.',
  },
} as const satisfies Record<CredentialKind | 'install_credential', object>

export function securityOf(operation: Operation) {
  const { access, credentialHeaders } = operation
  const { credentials, anonymous } = access
  if (credentialHeaders) return credentialHeaders.map(name => ({ [schemeOf(name)]: [] }))
  if (anonymous && credentials.length === 0) return []
  const admitted = credentials.filter(kind => kind !== 'api_token' || admitsTokens(operation))
  return [...(anonymous ? [{}] : []), ...admitted.map(kind => ({ [kind]: [] }))]
}

const schemeOf = (header: string) => header.replace(/^svc-/, '').replaceAll('-', '_')

/** An API token acts as a member, so operations for owners and admins do not admit it, but for what it can be granted. */
const admitsTokens = ({ access, permission }: Operation) =>
  access.credentials.includes('api_token') &&
  ((!access.workspace && !access.workspaceParam) ||
    access.roles.includes('member') ||
    isBeyondMembers(permission))

const isBeyondMembers = (permission: Permission | undefined) =>
  permission !== undefined && beyondMembers.includes(permission)

export const whoMay = (operation: Operation): string =>
  [
    who(operation),
    operation.permission && `A restricted credential needs \`${operation.permission}\`.`,
    operation.stepUp && stepUpSentence(operation.stepUp),
  ]
    .filter(Boolean)
    .join(' ')

const stepUpSentence = (when: true | string): string =>
  `A person needs to have [confirmed who they are](/docs/authentication#confirming-who-you-are) within ten minutes${when === true ? '' : ` ${when}`}.`

function who(operation: Operation): string {
  const { access, permission } = operation
  const { credentials, anonymous, workspace, workspaceParam, roles } = access
  if (anonymous) {
    return credentials.length > 0 ? '**Who:** everyone, with or without a credential.' : '**Who:** see above.'
  }
  const who = admitsTokens(operation)
    ? isBeyondMembers(permission)
      ? 'a person, or an API token with the permission'
      : 'a person or an API token'
    : 'a person (session token or JWT), not an API token'
  if (!workspace && !workspaceParam) return `**Who:** ${who}; no workspace needed.`
  const role = roles.includes('member') ? 'of any role' : `as ${roles.join(' or ')}`
  return `**Who:** ${who}, ${role} in ${workspaceParam ? 'the workspace in the path' : 'the workspace'}.`
}
