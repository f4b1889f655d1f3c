import type { CodeName } from '../core/error-codes.ts'
import type { Operation } from '../core/operation.ts'
import type { OperationExample } from './example.ts'
import type { Group } from './groups.ts'
import type { Surface } from './surface.ts'

/**
 * What the document says of an operation beyond its schemas, and where people find it. Who may call, and paging, follow from the operation
 * and are not said here. A function in the operation's file: bundles of clients, which import the operation alone, leave it out.
 */
export interface Reference<Op extends Operation = Operation> extends Surface {
  readonly group: Group
  /** Markdown: what it does, and what is special about it. */
  readonly description: string
  /** The codes with which this operation refuses, beyond those that follow from its access and its input. */
  readonly codes?: readonly CodeName[]
  readonly examples: readonly OperationExample<Op>[]
}
