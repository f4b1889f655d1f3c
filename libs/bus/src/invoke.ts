import type { AgentCaller, Caller } from '@svc/contract/core/caller'
import type { Tag } from '@svc/contract/core/error-codes'
import { ApiError } from '@svc/contract/core/errors'
import { agentSubject, type Operation, type Service, subjectOf } from '@svc/contract/core/operation'
import type { z } from 'zod'
import type { CallBus } from './call.ts'
import { defaultBudgetMs, header } from './wire.ts'

type Sent<T> = T extends z.ZodType ? z.input<T> : undefined
type Received<T> = T extends z.ZodType ? z.output<T> : undefined

export interface InvokeOptions<Op extends Operation> {
  readonly caller: Op['access']['agent'] extends true ? AgentCaller : Caller
  readonly body?: Sent<Op['body']>
  readonly params?: Record<string, string>
  readonly query?: Record<string, string>
  readonly headers?: Record<string, string>
  readonly deadline?: number
  readonly requestId?: string
  readonly address?: string
}

/** @throws ApiError with the tag and body of the service's answer */
export async function invoke<S extends Service, K extends keyof S['operations'] & string>(
  call: CallBus,
  service: S,
  name: K,
  options: InvokeOptions<S['operations'][K]>,
): Promise<Received<S['operations'][K]['output']>> {
  const { caller, body, params, query, headers, deadline, requestId, address } = options
  const subject = subjectOf(service.name, name)
  const answer = await call({
    subject: caller.kind === 'agent' ? agentSubject(subject, caller) : subject,
    body: body === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(body)),
    headers: {
      ...headers,
      ...(caller.kind !== 'agent' && { [header.caller]: JSON.stringify(caller) }),
      ...(params && { [header.params]: String(new URLSearchParams(params)) }),
      ...(query && { [header.query]: String(new URLSearchParams(query)) }),
      ...(requestId && { [header.requestId]: requestId }),
      ...(address && { [header.address]: address }),
    },
    deadline: deadline ?? Date.now() + defaultBudgetMs,
    safe: service.operations[name]?.safe ?? false,
  })
  const value = answer.body.length > 0 ? JSON.parse(new TextDecoder().decode(answer.body)) : undefined
  if (answer.status < 400) return value
  const retryAfter = answer.header('Retry-After')
  throw new ApiError(value._tag as Tag, value.errors?.[0]?.message ?? value._tag, value, {
    headers: retryAfter ? { 'Retry-After': retryAfter } : {},
  })
}
