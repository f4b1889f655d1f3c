import type { CredentialKind } from '../core/caller.ts'
import { type Access, headerName, type Operation } from '../core/operation.ts'

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

export function securityOf({ access, credentialHeaders }: Pick<Operation, 'access' | 'credentialHeaders'>) {
  const { credentials, anonymous } = access
  if (credentialHeaders) return credentialHeaders.map(name => ({ [schemeOf(name)]: [] }))
  if (anonymous && credentials.length === 0) return []
  const admitted = credentials.filter(kind => kind !== 'api_token' || admitsTokens(access))
  return [...(anonymous ? [{}] : []), ...admitted.map(kind => ({ [kind]: [] }))]
}

const schemeOf = (header: string) => header.replace(/^svc-/, '').replaceAll('-', '_')

/** An API token acts as a member, so operations for owners and admins do not admit it. */
const admitsTokens = ({ credentials, workspace, workspaceParam, roles }: Access) =>
  credentials.includes('api_token') && ((!workspace && !workspaceParam) || roles.includes('member'))

export function whoMay(access: Access): string {
  const { credentials, anonymous, workspace, workspaceParam, roles } = access
  if (anonymous) {
    return credentials.length > 0 ? '**Who:** everyone, with or without a credential.' : '**Who:** see above.'
  }
  const who = admitsTokens(access)
    ? 'a person or an API token'
    : 'a person (session token or JWT), not an API token'
  if (!workspace && !workspaceParam) return `**Who:** ${who}; no workspace needed.`
  const role = roles.includes('member') ? 'of any role' : `as ${roles.join(' or ')}`
  return `**Who:** ${who}, ${role} in ${workspaceParam ? 'the workspace in the path' : 'the workspace'}.`
}
