/** The session of somebody without a second factor. */
export function opened<T extends { readonly outcome: string }>(answer: T): Extract<T, { outcome: 'opened' }> {
  if (answer.outcome !== 'opened') throw new Error(`no session: ${answer.outcome}`)
  return answer as Extract<T, { outcome: 'opened' }>
}
