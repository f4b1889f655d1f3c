/**
 * What the OpenAPI document says of each operation beyond its schemas. Apart from the operations, so that clients, which
 * import those, do not carry it. An operation over HTTP without its lines here does not compile.
 */
import type { Operation } from '../core/operation.ts'
import type { NamedOperation, services } from '../services.ts'
import { activityReference } from '../activity/activity-reference.ts'
import { apiTokensReference } from '../auth-tokens/api-tokens-reference.ts'
import { invitationsReference } from '../auth-tokens/invitations-reference.ts'
import { peopleReference } from '../auth-tokens/people-reference.ts'
import { sessionsReference } from '../auth-tokens/sessions-reference.ts'
import { clustersReference } from '../compute/clusters-reference.ts'
import { computeSettingsReference } from '../compute/compute-settings-reference.ts'
import { catalogueReference } from '../offers/catalogue-reference.ts'
import { installsReference } from '../offers/installs-reference.ts'
import { offerChannelsReference } from '../offers/offer-channels-reference.ts'
import { offersReference } from '../offers/offers-reference.ts'
import { ordersReference } from '../offers/orders-reference.ts'
import type { Reference } from './operation-reference.ts'

type Services = typeof services
type HttpOperations<Name extends keyof Services> = {
  [Op in keyof Services[Name]['operations']]: Services[Name]['operations'][Op] extends Required<
    Pick<Operation, 'http'>
  >
    ? Op
    : never
}[keyof Services[Name]['operations']]

type Documented = {
  [Name in keyof Services]: HttpOperations<Name> extends never ? never : Name
}[keyof Services]

const references: { readonly [Name in Documented]: Record<HttpOperations<Name>, Reference> } = {
  offers: {
    ...offersReference,
    ...ordersReference,
    ...installsReference,
    ...catalogueReference,
    ...offerChannelsReference,
  },
  'auth-tokens': { ...apiTokensReference, ...sessionsReference, ...peopleReference, ...invitationsReference },
  compute: { ...clustersReference, ...computeSettingsReference },
  activity: activityReference,
}

/** The lines of an operation that has a route. */
export function referenceOf({ service, name }: Pick<NamedOperation, 'service' | 'name'>): Reference {
  const all: Record<string, Record<string, Reference>> = references
  const found = all[service]?.[name]
  if (!found) throw new Error(`${service}.${name} has no lines in a file -reference.ts beside it`)
  return found
}
