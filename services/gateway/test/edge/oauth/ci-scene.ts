/** Keys on the loopback address that sign in place of GitHub Actions and GitLab.com, with their names and their claims. */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { freePort } from '@svc/local/free-port'
import { workloadsConfig } from '@svc/runtime/trusted-workloads'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

export type Kind = 'github' | 'gitlab'
export const idTokenType = 'urn:ietf:params:oauth:token-type:id_token'

export interface RunIssuers {
  /** As in TRUSTED_WORKLOADS: as by default, but for the address of the keys. */
  readonly workloads: string
  /** Times that keys were asked for. */
  readonly reads: () => number
  issuerOf(kind: Kind): string
  /** @param claims instead of those of {@link claimsOf}; undefined: left out */
  token(kind: Kind, aud: string, claims?: Record<string, unknown>, header?: object): Promise<string>
  stop(): Promise<void>
}

/** What a run of each says: docs.github.com, "OpenID Connect reference"; docs.gitlab.com, "ID token authentication". */
export const claimsOf = {
  github: {
    sub: 'repo:acme/shop:ref:refs/heads/main',
    repository: 'acme/shop',
    repository_id: '74512389',
    repository_owner: 'acme',
    repository_owner_id: '9919421',
    workflow_ref: 'acme/shop/.github/workflows/release.yml@refs/heads/main',
    job_workflow_ref: 'acme/shop/.github/workflows/release.yml@refs/heads/main',
    ref: 'refs/heads/main',
    event_name: 'push',
    actor: 'ada',
    run_id: '17345',
    run_attempt: '1',
    sha: '2f1c5cf0d7a2b7f0d5d7a6e9f6e2c1b0a9d8e7f6',
  },
  gitlab: {
    sub: 'project_path:acme/shop:ref_type:branch:ref:main',
    project_path: 'acme/shop',
    project_id: '278964',
    namespace_path: 'acme',
    namespace_id: '9970',
    ci_config_ref_uri: 'gitlab.com/acme/shop//.gitlab-ci.yml@refs/heads/main',
    ref: 'main',
    ref_protected: 'true',
    pipeline_id: '1012',
    job_id: '2024',
    pipeline_source: 'push',
    user_login: 'ada',
    user_email: 'ada@acme.example',
    groups_direct: ['acme'],
  },
} as const

export async function startRunIssuers(): Promise<RunIssuers> {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'ci', alg: 'RS256', use: 'sig' }
  let reads = 0
  const server = createServer((_request, response) => {
    reads++
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] }))
  })
  const port = await freePort()
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  const known = workloadsConfig.TRUSTED_WORKLOADS.parse(undefined)
  const issuerOf = (kind: Kind) => known[kind === 'github' ? 0 : 1]?.issuer ?? ''
  const jwks_uri = `http://127.0.0.1:${port}/keys`
  return {
    workloads: JSON.stringify(known.map(workload => ({ ...workload, jwks_uri }))),
    issuerOf,
    reads: () => reads,
    token(kind, aud, claims = {}, header = {}) {
      const seconds = Math.floor(Date.now() / 1000)
      const all = {
        jti: randomUUID(),
        iat: seconds,
        nbf: seconds,
        exp: seconds + 300,
        ...claimsOf[kind],
        ...claims,
      }
      return new SignJWT({ iss: issuerOf(kind), aud, ...JSON.parse(JSON.stringify(all)) })
        .setProtectedHeader({ alg: 'RS256', kid: 'ci', typ: 'JWT', ...header })
        .sign(privateKey)
    },
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
