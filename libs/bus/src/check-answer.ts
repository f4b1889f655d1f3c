/**
 * Checks answers against the contract. Rows of a statement are cast to the type that the code expects, so a
 * forgotten column would reach a caller as a missing field. Tests switch it on for every service; it costs a parse
 * of each answer.
 */
import type { Operation } from '@svc/contract/core/operation'
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'

export const checksAnswers = process.env.SVC_CHECK_ANSWERS === '1'

/**
 * @param bytes the reply's body
 * @throws Error if the answer does not match the operation's output schema, has additional fields, or differs from
 * the bytes sent
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
