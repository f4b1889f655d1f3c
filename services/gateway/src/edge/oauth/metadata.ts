/** RFC 8414 metadata, and the keys of RFC 7517. */
import { refusal } from '@svc/contract/core/errors'
import type { FastifyInstance } from 'fastify'
import { grantTypes } from './issue-token.ts'
import { scopes } from './scope.ts'

export interface MetadataDeps {
  /** The public address and issuer of JWTs, without a path. */
  readonly publicUrl: string
  /** The public keys of our JWTs; undefined: not read yet. */
  readonly signingKeys: () => readonly unknown[] | undefined
}

const jwksPath = '/.well-known/jwks.json'
// A new key is published for longer than this plus the gateways' own interval before it signs.
const jwksMaxAgeSeconds = 60
const metadataMaxAgeSeconds = 3600

export async function metadataRoutes(app: FastifyInstance, { publicUrl, signingKeys }: MetadataDeps) {
  const metadata = JSON.stringify({
    issuer: publicUrl,
    token_endpoint: `${publicUrl}/oauth/token`,
    device_authorization_endpoint: `${publicUrl}/oauth/device_authorization`,
    revocation_endpoint: `${publicUrl}/oauth/revoke`,
    jwks_uri: publicUrl + jwksPath,
    grant_types_supported: grantTypes,
    // There is no authorization endpoint, but the member is required (RFC 8414, 2).
    response_types_supported: [],
    scopes_supported: scopes,
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
  })

  app.get('/.well-known/oauth-authorization-server', (_request, reply) =>
    reply.header('cache-control', `public, max-age=${metadataMaxAgeSeconds}`).send(metadata),
  )
  app.get(jwksPath, (_request, reply) => {
    const keys = signingKeys()
    if (!keys) throw refusal('unavailable')
    return (
      reply
        .header('cache-control', `public, max-age=${jwksMaxAgeSeconds}`)
        .type('application/jwk-set+json')
        // As bytes: Fastify would add a charset to text, which this type does not have (RFC 7517, 8.5.2).
        .send(Buffer.from(JSON.stringify({ keys })))
    )
  })
}
