/** One of the operator's commands. */
import type { CallBus } from '@svc/bus/call'

/** Values of the options and the arguments after the command's name, unparsed. */
export interface Given {
  readonly options: Readonly<Record<string, string>>
  readonly argument: string
  /** What came on standard input, with `--password-stdin`. */
  readonly password: string | undefined
  /** Who gives the command. */
  readonly operator: Operator
}

export interface Operator {
  readonly caller: { readonly kind: 'internal'; readonly id: 'admin'; readonly name: string }
}

export interface Command {
  readonly summary: string
  /** Options with a value; all are required. */
  readonly options: Readonly<Record<string, string>>
  /** The name of its one argument, if it has one. */
  readonly argument?: string
  readonly takesPassword?: boolean
  /** The operation's answer, and the same as lines of text. */
  run(call: CallBus, given: Given): Promise<{ answer: object; lines: string[] }>
}
