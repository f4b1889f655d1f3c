import type { CodeName } from '../core/error-codes.ts'
import type { Group } from './groups.ts'
import type { Surface } from './surface.ts'

/** What the document says of one operation. Who may call, and paging, follow from the operation and are not said here. */
export interface Reference extends Surface {
  readonly group: Group
  /** Markdown: what it does, and what is special about it. */
  readonly description: string
  /** The codes with which this operation refuses, beyond those that follow from its access and its input. */
  readonly codes?: readonly CodeName[]
}
