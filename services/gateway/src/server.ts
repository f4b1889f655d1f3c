/** The HTTP server: limits, one shape for every refusal, the routes. */
import { openApiDocument, root } from '@svc/contract/openapi'
import type { Caller } from '@svc/contract/caller'
import { type ApiError, refusal } from '@svc/contract/errors'
import { newRequestId } from '@svc/runtime/id'
import type { Log } from '@svc/runtime/log'
import { type FastifyInstance, type FastifyReply, fastify } from 'fastify'
import { type ForwardDeps, registerOperations } from './forward.ts'
import { answerParserError, refusalOf } from './refusals.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
    /** Unix milliseconds. */
    deadline: number
  }
}

/** Bytes of a body. */
const bodyLimit = 256 * 1024
/** Bytes of a request's headers. */
const maxHeaderSize = 16 * 1024
/** A request whose headers or body take longer is dropped, in milliseconds. */
const receiveMs = 4000
const json = 'application/json; charset=utf-8'

export interface ServerDeps extends ForwardDeps {
  readonly log: Log
  /** True from the signal to stop: `/readyz` says so, and connections are told to close. */
  readonly draining: () => boolean
}

export function createServer({ log, draining, ...deps }: ServerDeps): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit,
    genReqId: newRequestId,
    exposeHeadRoutes: false,
    requestTimeout: receiveMs,
    // A request that reached us before the close is served; its connection is closed after the answer.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    http: {
      maxHeaderSize,
      headersTimeout: receiveMs,
      connectionsCheckingInterval: 500,
      // Node.js answers a missing Host by itself, without a body; the check is in the hook below.
      requireHostHeader: false,
    },
    clientErrorHandler: answerParserError,
    frameworkErrors: (error, _request, reply) =>
      send(reply, refusalOf(error) ?? refusal('malformed_request')),
  })
  app.decorateRequest('caller', undefined)
  app.decorateRequest('deadline', 0)

  // Bodies pass as bytes: the service that owns the operation parses them.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )

  app.addHook('onRequest', async (request, reply) => {
    reply.header('svc-request-id', request.id).header('cache-control', 'no-store').type(json)
    if (draining()) reply.header('connection', 'close')
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined)
      throw refusal('malformed_request')
  })
  app.addHook('onResponse', async (request, reply) => {
    const { caller } = request
    log.info(
      {
        request_id: request.id,
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        caller: caller && { kind: caller.kind, id: caller.id, workspace: caller.workspace },
      },
      'request',
    )
  })
  app.setNotFoundHandler((_request, reply) => send(reply, refusal('unknown_route')))
  app.setErrorHandler((error, request, reply) => {
    const refused = refusalOf(error)
    if (!refused) log.error({ err: error, request_id: request.id }, 'request failed')
    return send(reply, refused ?? refusal('internal'))
  })
  app.server.on('checkExpectation', (_request, response) => {
    const { status, body } = refusal('malformed_request', {
      message: 'Expect other than 100-continue is not met.',
    })
    response.writeHead(status, { 'content-type': json, connection: 'close' }).end(JSON.stringify(body))
  })

  const document = JSON.stringify(openApiDocument())
  app.get(`${root}/openapi.json`, (_request, reply) => reply.send(document))
  app.get('/livez', (_request, reply) => reply.send('{"live":true}'))
  app.get('/readyz', (_request, reply) => {
    const ready = deps.connected() && !draining()
    return reply.code(ready ? 200 : 503).send(JSON.stringify({ ready }))
  })
  registerOperations(app, deps)
  return app
}

function send(reply: FastifyReply, { status, headers, body }: ApiError) {
  return reply.code(status).headers(headers).type(json).send(JSON.stringify(body))
}
