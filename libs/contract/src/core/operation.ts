/** An operation as plain data. Routes, validation, role checks, handler types, OpenAPI and client derive from it. */
import type { z } from 'zod'
import type { Attribution } from './actor.ts'
import type { AgentCaller, Caller, CredentialKind, Role, ScopedCaller } from './caller.ts'
import type { Tag } from './error-codes.ts'
import type { EventType } from '../events.ts'

export type HttpMethod = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** Who may call: kinds of credential (none: internal programs on the bus only), workspace-scoped or not, roles. */
export interface Access {
  readonly credentials: readonly CredentialKind[]
  readonly workspace: boolean
  readonly roles: readonly Role[]
  /** The path parameter that names the workspace in which the role counts, where `Svc-Context` does not. */
  readonly workspaceParam?: string
  /** Requests without a credential are admitted as anonymous. */
  readonly anonymous?: true
  /** The caller comes with the e-mail address that they verified, if they did. */
  readonly email?: true
  /** Not reachable over HTTP by itself: the gateway calls it on the bus, for its pages or the OAuth endpoints. */
  readonly gateway?: true
  /** For the agent of a cluster, which the subject names: see {@link agentSubject}. */
  readonly agent?: true
}

export interface Operation {
  readonly summary: string
  /** Absent: the operation exists on the bus only. `path` is relative to the versioned root, with `{name}` parameters. */
  readonly http?: { readonly method: HttpMethod; readonly path: string; readonly status: number }
  readonly access: Access
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  /** Declared request headers, keyed by lower-case name. */
  readonly headers?: z.ZodObject
  /** Those of them that are credentials: the gateway passes on their SHA-256 in hex. */
  readonly credentialHeaders?: readonly string[]
  readonly body?: z.ZodType
  /** The handler gets the bytes of the body as they were sent: a signature is over bytes. */
  readonly raw?: true
  /** Chooses the one schema to parse by the keys that are present, so that `errors[].path` names the real field. */
  readonly variant?: (body: object) => z.ZodType
  /** The gateway tells it what the caller has used of the rate limits: `Call.rate_use`. */
  readonly rateUse?: true
  /** Absent: the answer has no body. */
  readonly output?: z.ZodType
  /** A list that is given as JSON lines as well, all of its pages, where `Accept` asks for them. */
  readonly lines?: true
  /** Response headers that the handler may set. */
  readonly replyHeaders?: readonly string[]
  /** Tags beyond those that every operation can answer with. */
  readonly errors: readonly Tag[]
  /**
   * Whether it can end a credential or lessen what one may do: it replies when no gateway uses what it ended any more
   * (docs/people/leases.md). Stated by each operation of auth-tokens that writes.
   */
  readonly narrows?: boolean
  /**
   * What it leaves for the audit log when it does what it is for. Stated by each operation whose answer holds a secret, and by each that
   * ends one: `test/secret-events.test.ts` finds them.
   */
  readonly event?: EventType
  /** True when a repetition is harmless, so a call whose outcome is unknown may be answered 503 instead of 504. */
  readonly safe?: boolean
}

export interface Service<
  Name extends string = string,
  Ops extends Record<string, Operation> = Record<string, Operation>,
> {
  readonly name: Name
  readonly version: string
  readonly operations: Ops
}

/** Declares a service: its operations by name. The subject of an operation is `rpc.<service>.<operation>`. */
export function service<const Name extends string, const Ops extends Record<string, Operation>>(
  name: Name,
  operations: Ops,
): Service<Name, Ops> {
  return { name, version: '1.0.0', operations }
}

/** The bus subject of an operation. */
export const subjectOf = (service: string, operation: string): string => `rpc.${service}.${operation}`

/**
 * The subject of an operation for agents, as one of them calls it. The bus lets an agent publish only to its
 * own subject, so the subject identifies the caller, and nothing that the agent sends.
 */
export const agentSubject = (subject: string, { cluster, id }: AgentCaller): string =>
  `${subject}.${cluster}.${id}`

/** The caller of such a subject. */
export function agentOf(subject: string): AgentCaller {
  const [, , , cluster = '', id = ''] = subject.split('.')
  return { kind: 'agent', cluster, id }
}

/** What a service subscribes to. */
export const servedSubject = (service: string, operation: string, { access }: Operation): string =>
  subjectOf(service, operation) + (access.agent ? '.*.*' : '')

/** A declared header as it is written: `idempotency-key` → `Idempotency-Key`. */
export const headerName = (key: string): string => key.replace(/(^|-)[a-z]/g, letter => letter.toUpperCase())

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined

/** What a handler receives: everything parsed and validated. */
export interface Input<Op extends Operation> {
  readonly params: Parsed<Op['params']>
  readonly query: Parsed<Op['query']>
  readonly headers: Parsed<Op['headers']>
  readonly body: Op['raw'] extends true ? Uint8Array : Parsed<Op['body']>
}

type ReplyHeader<Op extends Operation> = Op['replyHeaders'] extends readonly (infer H extends string)[]
  ? H
  : never

/** What a handler answers: the body as its output schema says, and the declared response headers. */
export interface Reply<Op extends Operation> {
  readonly body: Op['output'] extends z.ZodType ? z.input<Op['output']> : undefined
  readonly headers?: Partial<Record<ReplyHeader<Op>, string>>
  /** Other calls are answered with the same object, which nobody changes any more: its JSON is made once for all of them. */
  readonly shared?: boolean
}

/** One call in progress, as each handler sees it beside its dependencies. */
export interface Call {
  /** Unix milliseconds; afterwards nobody waits for the answer. */
  readonly deadline: number
  readonly request_id: string
  /** What events say of who calls. */
  readonly by: Attribution
  /** What the gateway knows of the caller's rate limits, as JSON, for an operation that asks for it; else empty. */
  readonly rate_use?: string
}

export type Handler<Op extends Operation, Deps> = (
  input: Input<Op>,
  caller: Op['access']['agent'] extends true
    ? AgentCaller
    : Op['access']['workspace'] extends true
      ? ScopedCaller
      : Caller,
  deps: Deps,
) => Promise<Reply<Op>>

/** A handler for every operation of a service: a missing one is a compile error. */
export type Handlers<S extends Service, Deps> = {
  readonly [K in keyof S['operations']]: Handler<S['operations'][K], Deps>
}
