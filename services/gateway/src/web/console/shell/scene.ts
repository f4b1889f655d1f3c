import type { InvokeOptions, invoke } from '@svc/bus/invoke'
import type { Caller, Role } from '@svc/contract/core/caller'
import type { ApiError } from '@svc/contract/core/errors'
import type { Operation, Service } from '@svc/contract/core/operation'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { VNode } from 'preact'
import type { Workspace } from '../../kit/visit/acting.ts'
import type { OpenStream } from '../../../edge/forward/open-streams.ts'
import type { RateLimits } from '../../../edge/limits/rate-limits.ts'
import type { Person, Visit, VisitDeps } from '../../kit/visit/visit.ts'

export interface ConsoleDeps extends VisitDeps {
  readonly publicUrl: string
  readonly rateLimits?: RateLimits | undefined
  readonly openStream: OpenStream
  /** Aborted when the gateway stops. */
  readonly leaving: AbortSignal
}

type OperationOf<S extends Service, K extends keyof S['operations']> = S['operations'][K]
type Options<Op extends Operation> = Pick<
  InvokeOptions<Op>,
  'body' | 'params' | 'query' | 'headers' | 'deadline'
>
type Answer<Op extends Operation> = Awaited<ReturnType<typeof invoke<Service<string, { only: Op }>, 'only'>>>

export type PersonInWorkspace = Extract<Caller, { user: string }> & {
  readonly workspace: string
  readonly role: Role
}

export interface Scene {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly visit: Visit
  readonly person: Person
  readonly member: PersonInWorkspace
  readonly workspace: Workspace
  readonly workspaces: readonly Workspace[]
  readonly root: string
  readonly apiUrl: string
  readonly publicUrl: string
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** Unix seconds. */
  readonly now: number
  /** Whether the role permits it: the gateway decides by the same list. */
  may(operation: Operation): boolean
  /** Calls an operation as this member, or as the person if it belongs to no workspace. */
  invoke<S extends Service, K extends keyof S['operations'] & string>(
    service: S,
    name: K,
    options?: Options<OperationOf<S, K>>,
  ): Promise<Answer<OperationOf<S, K>>>
  /** Answers with all pages of a list, as the API does where `Accept` asks for it. */
  stream<S extends Service, K extends keyof S['operations'] & string>(
    service: S,
    name: K,
    query: Readonly<Record<string, string>>,
  ): Promise<FastifyReply>
  /** The first call that a service did not answer: later ones, made to show that, reveal less. */
  readonly unanswered: ApiError | undefined
  show(page: VNode, status?: number): FastifyReply
  go(path: string, notice?: string): FastifyReply
}

export type Handler = (scene: Scene) => Promise<FastifyReply>

export interface ConsolePages {
  get(path: string, handler: Handler): void
  /** @param options `hasSecrets`: the values must not be sent back */
  post(path: string, handler: Handler, options?: { readonly hasSecrets: boolean }): void
}
