/** An example of an operation: what is sent, and what is answered. The tests send it to the running product. */
import type { z } from 'zod'
import { codes } from '../core/error-codes.ts'
import type { ApiError, ErrorEntry } from '../core/errors.ts'
import type { Operation } from '../core/operation.ts'
import { type ServiceName, services } from '../services.ts'
import type { ExampleAnswer, ExampleRequest, Sender } from './example-parts.ts'

export type { Sender } from './example-parts.ts'

export interface Example {
  readonly service: ServiceName
  readonly operation: string
  /** In the document; for a refusal the name of its code. */
  readonly name: string
  readonly summary: string
  readonly by: Sender
  /** Sent, because what follows needs it, and not shown. */
  readonly aside?: true
  readonly request: ExampleRequest
  readonly answer: ExampleAnswer
}

interface ExampleDetails {
  readonly name?: string
  readonly summary: string
  readonly by: Sender
  readonly aside?: true
}

type Operations<S extends ServiceName> = (typeof services)[S]['operations']

/** Where nothing in it is needed, the part may be left out. */
type Part<Op, Key extends string> = Op extends { readonly [K in Key]: infer Schema extends z.ZodType }
  ? undefined extends z.input<Schema>
    ? { readonly [K in Key]?: z.input<Schema> }
    : Partial<z.input<Schema>> extends z.input<Schema>
      ? { readonly [K in Key]?: z.input<Schema> }
      : { readonly [K in Key]: z.input<Schema> }
  : unknown

type Sent<Op> = Part<Op, 'params'> &
  Part<Op, 'query'> &
  Part<Op, 'headers'> &
  (Op extends { readonly raw: true } ? { readonly body: object } : Part<Op, 'body'>)

type Answered<Op> = { readonly headers?: Record<string, string> } & (Op extends {
  readonly output: infer Output extends z.ZodType
}
  ? { readonly body: z.input<Output> }
  : unknown)

/** A request that succeeds, and its answer. */
export function succeeds<S extends ServiceName, Name extends keyof Operations<S> & string>(
  service: S,
  operation: Name,
  {
    name = 'usual',
    request,
    answer,
    ...details
  }: ExampleDetails & {
    readonly request: Sent<Operations<S>[Name]>
    readonly answer: Answered<Operations<S>[Name]>
  },
): Example {
  const operations: Record<string, Operation> = services[service].operations
  const status = operations[operation]?.http?.status ?? 200
  return {
    service,
    operation,
    name,
    ...details,
    request: request as ExampleRequest,
    answer: { status, ...answer },
  }
}

/** A request that is refused; the refusal is made as the services make it. What is sent may be wrong. */
export function isRefused<S extends ServiceName, Name extends keyof Operations<S> & string>(
  service: S,
  operation: Name,
  {
    request,
    refusal,
    ...details
  }: ExampleDetails & { readonly request: ExampleRequest; readonly refusal: ApiError },
): Example {
  const { status, body } = refusal
  return { service, operation, name: nameOf(refusal), ...details, request, answer: { status, body } }
}

/** Named by its first code, or by its tag if the body has no codes. */
function nameOf({ body, tag }: ApiError): string {
  const [first] = (body as { errors?: ErrorEntry[] }).errors ?? []
  return Object.entries(codes).find(([, [code]]) => code === first?.code)?.[0] ?? tag
}
