import { type ApiError, refusal } from '@svc/contract/errors'

/** A step that does not start from the state of the order. */
export const wrongState = (step: string, state: string): ApiError =>
  refusal('wrong_state', {
    message: `The order is ${state}: ${step} does not start from this state.`,
    metadata: { state },
  })
