import { refusal } from '@svc/contract/core/errors'
import { foreignKeyViolation, sqlstate } from '@svc/runtime/sqlstate'

/** `deleted`, and for each kind that may refer to the row the id of one that does. */
export interface Deletion {
  readonly deleted: boolean
  readonly [kind: string]: string | boolean | null
}

/** Another attempt is needed when a reference appears during the deletion; it then finds the reference. */
const attempts = 3

/**
 * @param statement deletes the row if nothing refers to it; returns no row if there is none
 * @throws ApiError `NotFound`, or `Conflict` whose `metadata` has the id of one referring row per kind
 */
export async function deleteUnlessUsed(statement: () => Promise<Deletion[]>): Promise<void> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const answer = await statement().catch(error => {
      if (sqlstate(error) === foreignKeyViolation) return undefined
      throw error
    })
    if (!answer) continue
    const [outcome] = answer
    if (outcome?.deleted) return
    const used = Object.entries(outcome ?? {}).filter(([, id]) => typeof id === 'string')
    // There is no such row, or someone else has just deleted it.
    if (used.length === 0) throw refusal('not_found')
    const metadata = Object.fromEntries(used) as Record<string, string>
    const named = used.map(([kind, id]) => `${kind} ${id}`).join(' and ')
    throw refusal('in_use', {
      message: `It cannot be deleted: ${named} ${used.length > 1 ? 'refer' : 'refers'} to it.`,
      metadata,
    })
  }
  throw refusal('in_use')
}
