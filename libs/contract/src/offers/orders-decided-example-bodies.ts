import { refusal } from '../core/errors.ts'
import { channelOffer, channelOrder } from '../openapi/example-names.ts'

export const byChannel = { params: { short_hash: channelOffer.short_hash } }
export const inChannel = { params: { id: channelOrder } }

export const wrongState = (step: string, state: string) =>
  refusal('wrong_state', {
    message: `The order is ${state}, so ${step} is not possible.`,
    metadata: { state },
  })
