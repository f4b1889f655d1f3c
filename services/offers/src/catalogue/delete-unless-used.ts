/** Deletes something unless it is referred to. */
import { refusal } from '@svc/contract/core/errors'
import { foreignKeyViolation, sqlstate } from '@svc/runtime/sqlstate'

/** `deleted`, and of each kind that may refer to the row, the id of one that does. */
export interface Deletion {
  readonly deleted: boolean
  readonly [kind: string]: string | boolean | null
}

/** Attempts, each after something began to refer to the row during its deletion; the next one sees what. */
const attempts = 3

/**
 * @param statement deletes the row if nothing refers to it; answers no row where there is none
 * @throws ApiError `NotFound`, or `Conflict` with what refers to the row in `metadata`: by kind, the id of one
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
    // No such row, or someone else deleted it in the meantime.
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
