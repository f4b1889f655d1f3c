/** A typed client of the HTTP API, derived from the contract: no operation is named here. */
import type { Operation } from '@svc/contract/core/operation'
import { services } from '@svc/contract/services'
import type { z } from 'zod'
import type { CallOptions, ClientOptions, Result } from './options.ts'
import { type AnyArguments, send } from './send.ts'
import { type GroupOf, shortName, type VerbOf } from '@svc/contract/short-names'

type Sent<T> = T extends z.ZodType ? z.input<T> : never
type Received<T> = T extends z.ZodType ? z.output<T> : undefined
type Part<Op, K extends string> = Op extends { readonly [P in K]: infer T } ? Sent<T> : never
/** An input whose properties are all optional may be left out. */
type Field<K extends string, T> = [T] extends [never]
  ? { readonly [P in K]?: undefined }
  : Record<never, never> extends T
    ? { readonly [P in K]?: T }
    : { readonly [P in K]: T }

/** The arguments of one operation: path parameters, query, headers by lower-case name, body. */
export type Arguments<Op> = Field<'params', Part<Op, 'params'>> &
  Field<'query', Partial<Record<keyof Part<Op, 'query'>, string | number>>> &
  Field<'headers', Part<Op, 'headers'>> &
  Field<'body', Part<Op, 'body'>>

type Method<Op extends Operation> = (
  ...input: Record<never, never> extends Arguments<Op>
    ? [input?: Arguments<Op>, options?: CallOptions]
    : [input: Arguments<Op>, options?: CallOptions]
) => Promise<Result<Received<Op['output']>>>

/** Webhooks, which take another program's signed bytes, are not for clients. */
type HttpOperations<Ops> = {
  [K in keyof Ops as Ops[K] extends { http: object }
    ? Ops[K] extends { raw: true }
      ? never
      : K
    : never]: Ops[K]
}

type Services = typeof services
type OperationsOf<S extends keyof Services> = HttpOperations<Services[S]['operations']>
type Names = { [S in keyof Services]: keyof OperationsOf<S> & string }[keyof Services]
type MethodOf<Op> = Op extends Operation ? Method<Op> : never

/** By service and name: `client.offers.create_offer`, `client['auth-tokens'].list_api_tokens`. */
type ByService = {
  readonly [S in keyof Services]: { readonly [N in keyof OperationsOf<S>]: MethodOf<OperationsOf<S>[N]> }
}
type MethodNamed<N extends Names> = {
  [S in keyof Services]: N extends keyof OperationsOf<S> ? MethodOf<OperationsOf<S>[N]> : never
}[keyof Services]

/** By noun and verb: `client.offers.create`, `client.tokens.list`. */
type ByNoun = {
  readonly [G in GroupOf<Names>]: {
    readonly [N in Names as GroupOf<N> extends G ? VerbOf<N> : never]: MethodNamed<N>
  }
}

/** Every operation that has an HTTP side, under both of its names; webhooks of other programs are left out. */
export type Client = ByService & ByNoun

/**
 * Makes a client. Every method resolves to status, body and headers, and takes the operation's arguments and, after them,
 * {@link CallOptions}. What may be repeated is repeated: see {@link Limits}. An operation that takes an `Idempotency-Key`
 * is sent with a new one where none is given, so that it can be.
 *
 * @throws ApiResponseError (from the methods) for every answer that is not a success, of the class of its tag
 * @throws ConnectionError, DeadlineExceededError, InvalidResponseError where there was no whole answer
 * @throws the reason of the caller's signal, once that is aborted
 * @throws TypeError for a path parameter that is missing, empty, `.` or `..`; nothing is sent
 */
export function createClient(options: ClientOptions): Client {
  const client: Record<string, Record<string, unknown>> = {}
  for (const { name: service, operations } of Object.values(services)) {
    for (const [name, operation] of Object.entries<Operation>(operations)) {
      if (!operation.http || operation.raw) continue
      const method = (input?: AnyArguments, call?: CallOptions) => send(options, operation, input, call)
      const { group, verb } = shortName(name)
      client[service] = { ...client[service], [name]: method }
      client[group] = { ...client[group], [verb]: method }
    }
  }
  return client as unknown as Client
}
