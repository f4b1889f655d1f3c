import { type CodeName, codes } from '@svc/contract/core/error-codes'
import { ApiError, type ErrorEntry } from '@svc/contract/core/errors'

export const isRefusedAs = (error: unknown, ...names: CodeName[]): boolean =>
  names.some(name => entriesOf(error)[0]?.code === codes[name][0])

export function entriesOf(error: unknown): readonly ErrorEntry[] {
  if (!(error instanceof ApiError)) return []
  return (error.body as { errors?: ErrorEntry[] }).errors ?? []
}

export const isUnanswered = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.tag === 'Unavailable' || error.tag === 'Timeout')

/** For optional parts of a page: undefined if a service does not answer. */
export async function orUnknown<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (isUnanswered(error)) return undefined
    throw error
  }
}
