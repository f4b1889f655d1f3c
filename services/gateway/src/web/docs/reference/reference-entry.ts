import type { Group } from '@svc/contract/openapi/groups'

export interface ReferenceEntry {
  /** `offers.create_offer` */
  readonly id: string
  readonly group: Group
  readonly title: string
  readonly method: string
  readonly path: string
}
