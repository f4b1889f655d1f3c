/** An OpenID provider on the loopback address, with keys that can be changed and claims that can be chosen. */
import { randomUUID } from 'node:crypto'
import { type RequestListener, createServer } from 'node:http'
import { freePort } from '@svc/local/free-port'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'

export interface OutsideProvider {
  readonly issuer: string
  readonly jwksUri: string
  /** Requests for the JWK Set so far. */
  readonly jwksRequests: () => number
  /** An access token that says so; of another `typ`, what else it issues. */
  token(claims: object, audience?: string, typ?: string): Promise<string>
  /** Signs with a new key. The previous one stays published until the next rotation, if it is kept. */
  rotate(options: { keep: boolean }): Promise<void>
  stop(): Promise<void>
  /** Listens again on the same port. */
  start(): Promise<void>
}

export const audience = 'https://svc.outside.test/'

/** @param name its `iss`, where that is not its address */
export async function startOutsideProvider(name?: string): Promise<OutsideProvider> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const issuer = name ?? url
  const secret = randomUUID()
  let keys: object[] = [await newKey()]
  let claims: object = {}
  let header: object = {}
  let answer = listener()
  let jwksRequests = 0
  let server = createServer()

  /** A provider reads its keys once, when it is created. */
  function listener(): RequestListener {
    const provider = new Provider(issuer, {
      jwks: { keys },
      cookies: { keys: [secret] },
      ttl: { ClientCredentials: 600 },
      clients: [
        {
          client_id: 'robot',
          client_secret: secret,
          grant_types: ['client_credentials'],
          redirect_uris: [],
          response_types: [],
          id_token_signed_response_alg: 'ES256',
        },
      ],
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_ctx: unknown, resource: string) => ({
            scope: 'api',
            audience: resource,
            accessTokenFormat: 'jwt',
            accessTokenTTL: 600,
            jwt: { sign: { alg: 'ES256' } },
          }),
        },
      },
      extraTokenClaims: () => claims,
      formats: {
        customizers: {
          jwt: (_ctx: unknown, _token: unknown, jwt: object) => void Object.assign(jwt, { header }),
        },
      },
    })
    return provider.callback()
  }

  const start = async () => {
    server = createServer((request, response) => {
      if (request.url === '/jwks') jwksRequests++
      return answer(request, response)
    })
    await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  }
  await start()

  return {
    issuer,
    jwksUri: `${url}/jwks`,
    jwksRequests: () => jwksRequests,
    async token(said, resource = audience, typ = 'at+jwt') {
      claims = said
      header = { typ }
      const response = await fetch(`${url}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`robot:${secret}`).toString('base64')}` },
        body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'api', resource }),
      })
      const body = (await response.json()) as { access_token?: string }
      if (!body.access_token) throw new Error(`no token: ${JSON.stringify(body)}`)
      return body.access_token
    },
    async rotate({ keep }) {
      keys = [await newKey(), ...(keep ? keys.slice(0, 1) : [])]
      answer = listener()
    },
    start,
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

async function newKey(): Promise<object> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid: randomUUID(), use: 'sig', alg: 'ES256' }
}
