import type { CallBus } from '@svc/bus/call'

export interface Given {
  readonly options: Readonly<Record<string, string>>
  readonly argument: string
  readonly password: string | undefined
  readonly operator: Operator
}

export interface Operator {
  readonly caller: { readonly kind: 'internal'; readonly id: 'admin'; readonly name: string }
}

export interface Command {
  readonly summary: string
  readonly options: Readonly<Record<string, string>>
  readonly argument?: string
  readonly takesPassword?: boolean
  run(call: CallBus, given: Given): Promise<{ answer: object; lines: string[] }>
}
