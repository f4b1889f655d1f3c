/** Counts requests by route as registered, never by what a client sent. */
import { ApiError } from '@svc/contract/core/errors'
import type { Metrics } from '@svc/telemetry/metrics'
import { type MeterRequest, meterRequests } from '@svc/telemetry/metrics-http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    meters?: Record<string, MeterRequest>
  }
}

export interface RequestCounter {
  begins(request: FastifyRequest, reply: FastifyReply): void
  unread(status: number | undefined): void
}

/** nginx's status for a client that disconnected before its answer. */
const clientGone = 499

/** Must be called before the first route is registered. */
export function countRequests(app: FastifyInstance, metrics: Metrics): RequestCounter {
  const unknown = meterRequests(metrics, 'unknown')
  const aboveShare = metrics.counter('svc_rate_limited_total', { policy: 'share' })
  aboveShare(0)
  let shed = 0
  metrics.read('svc_shed_total', { at: 'gateway' }, () => shed)

  app.addHook('onRoute', route => {
    const { url, method, config } = route
    const meters = Object.fromEntries(
      [method].flat().map(one => [one, meterRequests(metrics, config?.operation ?? `${one} ${url}`)]),
    )
    route.config = { ...config, meters }
  })
  app.addHook('onError', async (_request, _reply, error: Error) => {
    // A service that sheds load answers so; that is not an error with a reason.
    if (!(error instanceof ApiError)) return
    if (error.reason === 'overloaded') shed++
    if (error.reason === 'share_exceeded') aboveShare()
  })

  return {
    begins(request, reply) {
      const meters = request.is404 ? undefined : request.routeOptions.config.meters
      // A HEAD counts as a GET.
      const meter =
        meters?.[request.method] ?? (request.method === 'HEAD' ? meters?.GET : undefined) ?? unknown
      // Also fires if the client disconnects, when there is no onResponse.
      reply.raw.once('close', () => meter(statusOf(reply), reply.elapsedTime))
    },
    unread(status) {
      if (status !== undefined) unknown(status)
    },
  }
}

/** The parser's own answers bypass the response, and leave their status there. */
const statusOf = ({ raw: { headersSent, statusCode } }: FastifyReply) =>
  headersSent || statusCode !== 200 ? statusCode : clientGone
