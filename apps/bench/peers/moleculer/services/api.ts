import type { Context, ServiceSchema } from 'moleculer'
import ApiGateway, { type IncomingRequest, type Route } from 'moleculer-web'
import type { Caller } from '../../shared/caller.ts'
import { host, port } from '../../shared/environment.ts'
import { unauthorized } from '../../shared/refusal.ts'
import type { Meta } from '../meta.ts'
import { answerError } from './answer-error.ts'

export const api: ServiceSchema = {
  name: 'api',
  mixins: [ApiGateway],
  settings: {
    ip: host(),
    port: port(),
    // One line per request: that of the answer.
    logRequest: null,
    logRequestParams: null,
    log4XXResponses: false,
    routes: [
      {
        path: '/v1',
        mappingPolicy: 'restrict',
        authentication: true,
        bodyParsers: { json: { limit: '256kb' } },
        aliases: {
          'POST offers': 'offers.create',
          'GET api_tokens': 'api_tokens.list',
          'GET installs': 'installs.list',
          'PATCH clusters/:id/compute_settings': 'clusters.update_settings',
        },
        onBeforeCall({ meta }: Context<unknown, Meta>, _route: Route, { headers }: IncomingRequest) {
          const [key] = [headers['idempotency-key']].flat()
          if (key !== undefined) meta.idempotencyKey = key
          if (headers['if-match'] !== undefined) meta.ifMatch = headers['if-match']
        },
      },
    ],
    onError: answerError,
  },
  methods: {
    async authenticate(ctx: Context, _route: Route, { headers }: IncomingRequest): Promise<Caller> {
      const { authorization } = headers
      const caller: Caller | undefined = await ctx.call('auth.resolve', { authorization })
      if (!caller) throw unauthorized()
      return caller
    },
  },
}
