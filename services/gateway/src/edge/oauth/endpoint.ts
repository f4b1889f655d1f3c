import type { CallBus } from '@svc/bus/call'
import type { Log } from '@svc/runtime/log'
import type { FastifyRequest } from 'fastify'
import type { WorkBound } from '../admit/bound-work.ts'
import type { RunVerifier } from '../jwt/verify-run.ts'
import type { UsedCredentials } from '../leases/used-credentials.ts'
import type { Form } from './form.ts'

export interface OauthDeps extends WorkBound {
  readonly uses?: Pick<UsedCredentials, 'add' | 'refused'>
  readonly call: CallBus
  readonly publicUrl: string
  readonly runs: Pick<RunVerifier, 'verify'>
  readonly log: Log
}

export type Endpoint = (request: FastifyRequest, form: Form, deps: OauthDeps) => Promise<object | undefined>
