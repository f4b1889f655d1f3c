import { type CodeName, codes } from '@svc/contract/core/error-codes'
import { ApiError, type ErrorEntry } from '@svc/contract/core/errors'

/** Whether an error is one of these refusals. */
export const isRefusedAs = (error: unknown, ...names: CodeName[]): boolean =>
  names.some(name => entriesOf(error)[0]?.code === codes[name][0])

/** What a refusal lists. */
export function entriesOf(error: unknown): readonly ErrorEntry[] {
  if (!(error instanceof ApiError)) return []
  return (error.body as { errors?: ErrorEntry[] }).errors ?? []
}

/** Whether a service did not say what it did. A step before that may have been done. */
export const isUnanswered = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.tag === 'Unavailable' || error.tag === 'Timeout')

/** For what a page can do without: undefined where a service does not answer. */
export async function orUnknown<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (isUnanswered(error)) return undefined
    throw error
  }
}
