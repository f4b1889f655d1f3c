import { type ApiError, refusal } from '@svc/contract/core/errors'

export const wrongState = (step: string, state: string): ApiError =>
  refusal('wrong_state', {
    message: `The order is ${state}, so ${step} is not possible.`,
    metadata: { state },
  })
