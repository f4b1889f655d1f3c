/** OAuth 2.0 endpoints, in OAuth's own formats: RFC 6749, 7009, 8628 and 8693. */
import formbody from '@fastify/formbody'
import { defaultBudgetMs } from '@svc/bus/wire'
import { refusal } from '@svc/contract/core/errors'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { boundWork } from '../admit/bound-work.ts'
import { refuseOtherCharset } from '../http/charset.ts'
import { authorizeDevice } from './authorize-device.ts'
import type { Endpoint, OauthDeps } from './endpoint.ts'
import { type Form, parseForm } from './form.ts'
import { issueToken } from './issue-token.ts'
import { OauthError, oauthErrorOf, serverError } from './oauth-error.ts'
import { revokeToken } from './revoke-token.ts'

const endpoints: Record<string, Endpoint> = {
  '/device_authorization': authorizeDevice,
  '/token': issueToken,
  '/revoke': revokeToken,
}

export async function oauthRoutes(app: FastifyInstance, deps: OauthDeps) {
  app.register(async oauth => registerEndpoints(oauth, deps), { prefix: '/oauth' })
}

async function registerEndpoints(app: FastifyInstance, deps: OauthDeps) {
  app.removeAllContentTypeParsers()
  await app.register(formbody, { parser: text => ({ form: parseForm(text) }) })
  boundWork(app, deps)
  app.addHook('onRequest', async request => {
    const encoding = request.headers['content-encoding']?.toLowerCase()
    if (encoding && encoding !== 'identity') {
      throw new OauthError('invalid_request', 'Send the body uncompressed, without Content-Encoding.')
    }
    refuseOtherCharset(request.raw)
    request.deadline = Date.now() + defaultBudgetMs
  })
  // RFC 6749, 5.1. Every answer of this server has the other half, Cache-Control: no-store.
  app.addHook('onSend', async (_request, reply) => {
    reply.header('pragma', 'no-cache')
  })
  app.setErrorHandler((error, request, reply) => {
    const refused = oauthErrorOf(error)
    if (!refused) deps.log.error({ err: error, request_id: request.id }, 'request failed')
    return send(reply, refused ?? serverError())
  })
  // The server's hook refuses every unknown path under the prefix; this makes the answer OAuth's.
  app.setNotFoundHandler(() => {
    throw refusal('unknown_route')
  })

  for (const [url, endpoint] of Object.entries(endpoints)) {
    app.post<{ Body: { form: Form } | undefined }>(url, async (request, reply) => {
      const answer = await endpoint(request, request.body?.form ?? parseForm(''), deps)
      if (answer) return reply.send(JSON.stringify(answer))
      return reply.removeHeader('content-type').send()
    })
  }
}

const send = (reply: FastifyReply, { status, headers, body }: OauthError) =>
  reply.code(status).headers(headers).type('application/json; charset=utf-8').send(JSON.stringify(body))
