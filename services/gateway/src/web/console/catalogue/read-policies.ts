import { offers } from '@svc/contract/offers/offers'
import type { Scene } from '../shell/scene.ts'
import type { Answer } from '../ui/answers.ts'

export const readActivePolicy = async (
  { invoke }: Scene,
  { id, active_policy }: Answer<'get_offer_channel'>,
): Promise<Answer<'get_channel_policy'> | undefined> =>
  active_policy === null
    ? undefined
    : invoke(offers, 'get_channel_policy', { params: { id, number: `${active_policy}` } })
