/** An operation as plain data. Routes, validation, role checks, handler types, OpenAPI and client derive from it. */
import type { z } from 'zod'
import type { Attribution } from './actor.ts'
import type { AgentCaller, Caller, CredentialKind, Role, ScopedCaller } from './caller.ts'
import type { Tag } from './error-codes.ts'
import type { EventType } from '../events.ts'
import type { Permission } from './permissions.ts'

export type HttpMethod = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** Kinds of credential (none: internal programs on the bus only), workspace-scoped or not, roles. */
export interface Access {
  readonly credentials: readonly CredentialKind[]
  readonly workspace: boolean
  readonly roles: readonly Role[]
  /** The path parameter with the workspace, if it is not `Svc-Context`. */
  readonly workspaceParam?: string
  readonly anonymous?: true
  readonly email?: true
  /** Not a route: the gateway calls it on the bus for its pages or the OAuth endpoints. */
  readonly gateway?: true
  /**
   * About the credential itself: also for a restricted one, which can call nothing else outside of a workspace.
   * `session`: not for a JWT with a scope, which is not the session.
   */
  readonly itself?: true | 'session'
  /** For the agent of a cluster, which the subject names: see {@link agentSubject}. */
  readonly agent?: true
}

export interface Route {
  readonly method: HttpMethod
  /** Relative to the versioned root, with `{name}` parameters. */
  readonly path: string
  readonly status: number
}

/** Each route in a workspace needs one permission. */
type Reached =
  | { readonly http?: undefined; readonly access: Access; readonly permission?: undefined }
  | {
      readonly http: Route
      readonly access: Access & { readonly workspace: false; readonly workspaceParam?: undefined }
      readonly permission?: Permission
    }
  | { readonly http: Route; readonly access: Access; readonly permission: Permission }

interface Described {
  readonly summary: string
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly headers?: z.ZodObject
  /** Headers with credentials: the gateway passes on their SHA-256 in hex. */
  readonly credentialHeaders?: readonly string[]
  readonly body?: z.ZodType
  /** The handler gets the body's original bytes, because signatures are over bytes. */
  readonly raw?: true
  /** Selects the schema by the keys that are present, so that `errors[].path` names the real field. */
  readonly variant?: (body: object) => z.ZodType
  /** The gateway adds the caller's use of the rate limits: `Call.rate_use`. */
  readonly rateUse?: true
  readonly output?: z.ZodType
  /** What it searches: a caller finds what these permit, and a use of it is one of theirs. */
  readonly searches?: Readonly<Record<string, Operation>>
  /** A list that is also available with all of its pages, in this form, if `Accept` asks for it. */
  readonly lines?: 'application/x-ndjson' | 'text/csv'
  readonly replyHeaders?: readonly string[]
  readonly errors: readonly Tag[]
  /**
   * Whether it can end a credential or reduce its rights: it then replies only when no gateway uses the old state
   * (docs/people/leases.md). Required of each operation of auth-tokens that writes.
   */
  readonly narrows?: boolean
  /**
   * A person must have proved who they are within ten minutes (docs/specification.md, R93): always, or in the cases
   * that the text completes ("if …"), which the handler decides.
   */
  readonly stepUp?: true | string
  /**
   * The event for the audit log after a success. Required of each operation that answers with a secret or ends one:
   * `test/secret-events.test.ts` finds them.
   */
  readonly event?: EventType
  /** A repetition is harmless, so a call whose outcome is unknown may be answered 503 instead of 504. */
  readonly safe?: boolean
}

export type Operation = Described & Reached

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

export const subjectOf = (service: string, operation: string): string => `rpc.${service}.${operation}`

/** An operation's subject at one replica of its service. */
export const replicaSubject = (subject: string, replica: string): string => `${subject}.${replica}`

/**
 * An operation's subject as called by one agent. The bus lets an agent publish only to its own subject, which
 * thereby identifies the caller.
 */
export const agentSubject = (subject: string, { cluster, id }: AgentCaller): string =>
  `${subject}.${cluster}.${id}`

export function agentOf(subject: string): AgentCaller {
  const [, , , cluster = '', id = ''] = subject.split('.')
  return { kind: 'agent', cluster, id }
}

export const servedSubject = (service: string, operation: string, { access }: Operation): string =>
  subjectOf(service, operation) + (access.agent ? '.*.*' : '')

export const headerName = (key: string): string => key.replace(/(^|-)[a-z]/g, letter => letter.toUpperCase())

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined

export interface Input<Op extends Operation> {
  readonly params: Parsed<Op['params']>
  readonly query: Parsed<Op['query']>
  readonly headers: Parsed<Op['headers']>
  readonly body: Op['raw'] extends true ? Uint8Array : Parsed<Op['body']>
}

type ReplyHeader<Op extends Operation> = Op['replyHeaders'] extends readonly (infer H extends string)[]
  ? H
  : never

export interface Reply<Op extends Operation> {
  readonly body: Op['output'] extends z.ZodType ? z.input<Op['output']> : undefined
  readonly headers?: Partial<Record<ReplyHeader<Op>, string>>
  /** The object answers other calls as well and does not change: its JSON is encoded once. */
  readonly shared?: boolean
}

export interface Call {
  /** Unix milliseconds; afterwards nobody waits for the answer. */
  readonly deadline: number
  readonly request_id: string
  readonly by: Attribution
  /** JSON, for an operation that asks for it; otherwise empty. */
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
