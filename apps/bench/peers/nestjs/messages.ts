/** What gateway and service say to each other. */
import type { Caller } from '../shared/caller.ts'
import type { SettingsInput } from '../shared/compute-settings.ts'
import type { OfferInput } from '../shared/offers/offer-input.ts'
import type { PageQuery } from '../shared/page.ts'

export const patterns = {
  createOffer: 'offers.create',
  listApiTokens: 'api_tokens.list',
  listInstalls: 'installs.list',
  updateSettings: 'compute_settings.update',
} as const

export interface CreateOfferMessage {
  caller: Caller
  body: OfferInput
  key?: string | undefined
}

export interface ListMessage {
  caller: Caller
  query: PageQuery
}

export interface UpdateSettingsMessage {
  caller: Caller
  cluster: string
  etag: string
  body: SettingsInput
}

/** A refusal as it crosses the bus. */
export interface RefusalMessage {
  status: number
  body: object
}
