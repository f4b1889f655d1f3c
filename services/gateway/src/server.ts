import { root } from '@svc/contract/core/root'
import { readApiDocument } from './web/docs/api-document.ts'
import type { Caller } from '@svc/contract/core/caller'
import { type ApiError, refusal } from '@svc/contract/core/errors'
import { newRequestId } from '@svc/runtime/id'
import type { Log } from '@svc/runtime/log'
import { type Metrics, createMetrics } from '@svc/telemetry/metrics'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import type { Socket } from 'node:net'
import { answerOptions, refuseUnknown, rememberMethods } from './edge/http/allowed-methods.ts'
import { boundConnections } from './edge/http/bound-connections.ts'
import {
  answerInTurn,
  answerParserError,
  lingerWhereUnread,
  rememberExchange,
} from './edge/http/connection.ts'
import { clientAddress } from './edge/http/client-address.ts'
import { countRequests } from './edge/http/count-requests.ts'
import { type Drain, createDrain } from './edge/http/drain.ts'
import { type ForwardDeps, registerOperations } from './edge/forward/forward.ts'
import { bodyLimit, maxHeaderSize, maxHeaders, receiveCheckMs, receiveMs } from './edge/http/http-limits.ts'
import { createOpenStreams, type StreamBounds } from './edge/forward/open-streams.ts'
import { keep, sendKept } from './edge/http/kept-answer.ts'
import { noticeProxies } from './edge/http/notice-proxies.ts'
import { type MetadataDeps, metadataRoutes } from './edge/oauth/metadata.ts'
import type { OauthDeps } from './edge/oauth/endpoint.ts'
import { oauthRoutes } from './edge/oauth/routes.ts'
import { pageRoutes } from './web/routes.ts'
import { isForPage } from './web/kit/page/unknown-page.ts'
import { paceAddresses } from './edge/limits/pace-addresses.ts'
import { receiveBodies } from './edge/http/receive-bodies.ts'
import { refusalOf } from './edge/http/refusals.ts'
import { standingHeaders } from './edge/http/standing-headers.ts'
import { traceRequests } from './edge/http/trace-requests.ts'
import { proxyCheck } from './edge/http/trusted-proxies.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
    admittedUntil: number | undefined
    sentLater: boolean
    /** Unix milliseconds. */
    deadline: number
    address: string
  }
  interface FastifyContextConfig {
    operation?: string
  }
}

const json = 'application/json; charset=utf-8'

export interface ServerDeps extends Omit<ForwardDeps, 'openStream'>, MetadataDeps {
  readonly streams?: Partial<StreamBounds>
  readonly log: Log
  readonly trustedProxies: string[]
  /** An address or URL for users of the API who need help. */
  readonly supportContact?: string | undefined
  /** Further ones are refused; those of trusted proxies are not counted. */
  readonly maxConnectionsPerAddress?: number
  readonly keepAliveSeconds?: number
  /** Milliseconds for a whole request to arrive. */
  readonly arrivalMs?: number
  readonly runs?: OauthDeps['runs']
  readonly drain?: Drain
  readonly metrics?: Metrics
}

export function createServer({
  log,
  drain = createDrain(),
  trustedProxies,
  maxConnectionsPerAddress = Number.POSITIVE_INFINITY,
  keepAliveSeconds = 75,
  arrivalMs = receiveMs,
  metrics = createMetrics(),
  runs = { verify: () => Promise.reject(refusal('credential_invalid')) },
  ...deps
}: ServerDeps): FastifyInstance & { readonly warnings: () => readonly string[] } {
  const standing = standingHeaders(deps.publicUrl)
  const app = fastify({
    logger: false,
    bodyLimit,
    genReqId: newRequestId,
    // A hook below answers HEAD. The built-in handling gives answers without content, including 304, a length
    // of 0.
    exposeHeadRoutes: false,
    requestTimeout: arrivalMs,
    keepAliveTimeout: keepAliveSeconds * 1000,
    // Ids are bounded when they are checked, after the caller, where queries are counted and parsed.
    routerOptions: { maxParamLength: maxHeaderSize, querystringParser: () => ({}) },
    // A request that arrived before the close is served; its connection is closed after the answer.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    http: {
      maxHeaderSize,
      headersTimeout: arrivalMs,
      // Node.js refuses less than the one above, and Fastify sets its own only afterwards.
      requestTimeout: arrivalMs,
      connectionsCheckingInterval: receiveCheckMs,
      // Node.js answers a missing Host by itself, without a body; the hook below checks it.
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => requests.unread(answerParserError(error, socket, standing)),
    frameworkErrors: (error, request, reply) => {
      if (!begin(request, reply)) return
      return send(reply, refusalOf(error) ?? refusal('malformed_request'))
    },
  })
  const isProxy = proxyCheck(trustedProxies)
  const requests = countRequests(app, metrics)
  // RFC 9110, 9.1. No GET changes anything here; Node.js omits the body of the answer.
  app.addHook('onRoute', route => {
    if (route.method === 'GET') route.method = ['GET', 'HEAD']
  })
  rememberMethods(app)
  drain.watch(app.server)
  lingerWhereUnread(app.server)
  boundConnections(app.server, {
    maxPerAddress: maxConnectionsPerAddress,
    isProxy,
    refuse: (socket, refused) => requests.unread(answerInTurn(socket, refused, standing)),
  })
  // Beyond this count Node.js 20 drops headers silently, and later versions refuse the request: one more than the
  // limit shows that there were more.
  app.server.maxHeadersCount = maxHeaders + 1
  app.decorateRequest('caller', undefined)
  app.decorateRequest('admittedUntil', undefined)
  app.decorateRequest('sentLater', false)
  app.decorateRequest('deadline', 0)
  app.decorateRequest('address', '')

  // Bodies pass as bytes: the service that owns the operation parses them.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )

  traceRequests(app)
  const paced = paceAddresses(drain.leaving)
  app.addHook('onRequest', async (request, reply) => {
    if (!begin(request, reply)) return reply
    const turn = paced(request, reply)
    if (turn) await turn
    if (drain.closingPort) await drain.closingPort
    const problem = problemOf(request)
    if (problem) {
      reply.header('connection', 'close')
      throw refusal('malformed_request', { message: problem })
    }
    if (request.raw.rawHeaders.length > 2 * maxHeaders) {
      // The body's length may be among the dropped headers.
      reply.header('connection', 'close')
      throw refusal('headers_too_large', { message: `The request has more than ${maxHeaders} headers.` })
    }
    if (!request.is404) return
    if (answerOptions(request, reply)) return reply
    if (!isForPage(request)) refuseUnknown(request)
  })
  const warnings = noticeProxies(app, log, isProxy)
  receiveBodies(app)
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
  app.setErrorHandler((error, request, reply) => {
    const refused = refusalOf(error)
    if (!refused) log.error({ err: error, request_id: request.id }, 'request failed')
    return send(reply, refused ?? refusal('internal'))
  })
  // Node.js would answer the one without a body, and the other not at all.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.server.on('connect', (_request, socket) => {
    const headers = { ...standing, 'Svc-Request-Id': newRequestId() }
    requests.unread(answerInTurn(socket as Socket, refusal('unknown_route'), headers))
  })

  const document = keep(json, readApiDocument(deps.publicUrl, deps.supportContact))
  app.get(`${root}/openapi.json`, (request, reply) => sendKept(request, reply, document))
  app.get('/livez', (_request, reply) => reply.send('{"live":true}'))
  app.get('/readyz', (_request, reply) => {
    if (!deps.connected() || drain.begun)
      throw refusal('unavailable', { message: 'This gateway is not ready.' })
    return reply.send('{"ready":true}')
  })
  const openStream = createOpenStreams(deps.streams)
  registerOperations(app, { ...deps, openStream }, metrics, drain.leaving)
  app.register(metadataRoutes, deps)
  app.register(oauthRoutes, { ...deps, runs, log })
  app.register(pageRoutes, { ...deps, log, openStream, leaving: drain.leaving })
  return Object.assign(app, { warnings })

  function begin(request: FastifyRequest, reply: FastifyReply): boolean {
    const { socket, headers } = request.raw
    // Nobody would receive an answer on a connection that has been refused.
    if (!drain.takes(socket) || socket.writableEnded) {
      request.raw.resume()
      reply.hijack()
      return false
    }
    // Node.js joins repeated headers with commas.
    const forwardedFor = headers['x-forwarded-for'] as string | undefined
    request.address = clientAddress(socket.remoteAddress, forwardedFor, isProxy)
    rememberExchange(request, reply)
    requests.begins(request, reply)
    reply.headers(standing).header('svc-request-id', request.id).type(json)
    if (drain.begun) reply.header('connection', 'close')
    return true
  }
}

/** Requests that the parser accepts although they are not valid HTTP/1.0 or HTTP/1.1 here (RFC 9112, 2.3, 3.2). */
function problemOf({ raw: { httpVersion, headers } }: FastifyRequest): string | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'The HTTP version must be 1.1.'
  if (httpVersion === '1.0') {
    return headers['transfer-encoding'] && 'HTTP/1.0 has no Transfer-Encoding.'
  }
  if (headers.host === undefined) return 'The Host header is missing.'
  // Node.js accepts lists with empty elements, which a proxy may read differently, and codings that nobody
  // decodes.
  const coding = headers['transfer-encoding']
  if (coding !== undefined && !/^chunked$/i.test(coding))
    return 'The only supported transfer coding is chunked.'
  const unmet = headers.expect !== undefined && !/\b100-continue\b/i.test(headers.expect)
  return unmet ? 'The only supported expectation is 100-continue.' : undefined
}

function send(reply: FastifyReply, { status, headers, body }: ApiError) {
  return reply.code(status).headers(headers).type(json).send(JSON.stringify(body))
}
