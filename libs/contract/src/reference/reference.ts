/**
 * What the OpenAPI document says of each operation beyond its schemas. Apart from the operations, so that clients, which
 * import those, do not carry it. An operation over HTTP without its lines here does not compile.
 */
import type { CodeName } from '../error-codes.ts'
import type { Operation } from '../operation.ts'
import type { NamedOperation, services } from '../services.ts'
import { authTokensReference } from './auth-tokens.ts'
import { catalogueReference } from './catalogue.ts'
import { computeReference } from './compute.ts'
import { offersReference } from './offers.ts'
import type { Group } from './groups.ts'

/** What the document says of one operation. Who may call, and paging, follow from the operation and are not said here. */
export interface Reference {
  readonly group: Group
  /** Markdown: what it does, and what is special about it. */
  readonly description: string
  /** The codes with which this operation refuses, beyond those that follow from its access and its input. */
  readonly codes?: readonly CodeName[]
}

type Services = typeof services
type HttpOperations<Name extends keyof Services> = {
  [Op in keyof Services[Name]['operations']]: Services[Name]['operations'][Op] extends Required<
    Pick<Operation, 'http'>
  >
    ? Op
    : never
}[keyof Services[Name]['operations']]

const references: { readonly [Name in keyof Services]: Record<HttpOperations<Name>, Reference> } = {
  offers: { ...offersReference, ...catalogueReference },
  'auth-tokens': authTokensReference,
  compute: computeReference,
}

/** The lines of an operation that has a route. */
export function referenceOf({ service, name }: Pick<NamedOperation, 'service' | 'name'>): Reference {
  const found = (references[service] as Record<string, Reference>)[name]
  if (!found) throw new Error(`${service}.${name} has no lines in libs/contract/src/reference`)
  return found
}
