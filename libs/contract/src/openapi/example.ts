import type { z } from 'zod'
import { codes } from '../core/error-codes.ts'
import type { ApiError, ErrorEntry } from '../core/errors.ts'
import { explainNotFound } from '../core/not-found.ts'
import type { Operation } from '../core/operation.ts'
import { acme, globex } from './example-names.ts'
import type { ExampleAnswer, ExampleRequest, Sender } from './example-parts.ts'

export type { Sender } from './example-parts.ts'

export type OperationExample<Op extends Operation = Operation> = Success<Op> | Refusal

interface Details {
  /** The position in the common story: later steps use what earlier ones create. */
  readonly step: number
  readonly name?: string
  readonly summary: string
  readonly by: Sender
  /** Sent because later steps need it, but not shown. */
  readonly aside?: true
}

interface Success<Op extends Operation> extends Details {
  readonly request: Sent<Op>
  readonly answer: Answered<Op>
  readonly refusal?: never
}

/** The request may be invalid; the refusal is made as the services make it. */
interface Refusal extends Details {
  readonly request: ExampleRequest
  readonly refusal: ApiError
  readonly answer?: never
}

/** The part may be omitted if none of its fields is required. */
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

export interface Example {
  readonly service: string
  readonly operation: string
  readonly definition: Operation
  readonly step: number
  readonly name: string
  readonly summary: string
  readonly by: Sender
  readonly aside?: true
  readonly request: ExampleRequest
  readonly answer: ExampleAnswer
}

export function exampleOf(
  of: Pick<Example, 'service' | 'operation' | 'definition'>,
  status: number,
  { refusal, answer, name, request, ...details }: OperationExample,
): Example {
  const common = { ...of, ...details, request: request as ExampleRequest }
  if (!refusal) return { ...common, name: name ?? 'usual', answer: { status, ...answer } }
  const { body } = explainNotFound(refusal, of.definition, {
    params: new URLSearchParams(common.request.params).toString(),
    workspace: details.by === 'customer' ? globex : acme,
  })
  return { ...common, name: nameOf(refusal), answer: { status: refusal.status, body } }
}

/** By its first code, or by its tag if the body has no codes. */
function nameOf({ body, tag }: ApiError): string {
  const [first] = (body as { errors?: ErrorEntry[] }).errors ?? []
  return Object.entries(codes).find(([, [code]]) => code === first?.code)?.[0] ?? tag
}
