/**
 * Holds answers against the contract. Rows of a statement are cast to what the code takes them for, so a column that was forgotten
 * would reach a caller as a field that is not there. Tests switch it on for every service; it costs a parse of each answer.
 */
import type { Operation } from '@svc/contract/core/operation'
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'

export const checksAnswers = process.env.SVC_CHECK_ANSWERS === '1'

/**
 * @param bytes what is sent
 * @throws Error where the answer is not what the output schema of the operation says, or says more than that, or is sent as
 *   another one
 */
export function checkAnswer(
  { summary, output }: Operation,
  body: unknown,
  bytes: Uint8Array | undefined,
): void {
  if (!output) {
    if (body !== undefined) throw new Error(`An answer that should have no body has one: ${summary}.`)
    return
  }
  const text = JSON.stringify(body)
  if (text !== new TextDecoder().decode(bytes)) {
    throw new Error(`An answer was changed after it was shared: ${summary}.`)
  }
  const sent: unknown = JSON.parse(text)
  const { success, data, error } = output.safeParse(sent)
  if (!success) throw new Error(`An answer breaks its contract: ${summary}.\n${z.prettifyError(error)}`)
  if (!isDeepStrictEqual(data, sent)) {
    throw new Error(`An answer has fields that its contract does not name: ${summary}.`)
  }
}
