/** The pages for people: rendered here, working without JavaScript. */
import type { CallBus } from '@svc/bus/call'
import type { FastifyInstance } from 'fastify'
import type { ResolveCredential } from '../credentials.ts'

export interface PageDeps {
  readonly call: CallBus
  readonly connected: () => boolean
  readonly resolve: ResolveCredential
  readonly publicUrl: string
}

export async function pageRoutes(_app: FastifyInstance, _deps: PageDeps) {}
