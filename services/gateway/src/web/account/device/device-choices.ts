/** What a person can lessen when they approve a device: docs/specification.md, R87. */
import { type Permission, permissions, reading, wholeAccount } from '@svc/contract/core/permissions'
import { parseScope, scopeOf } from '../../../edge/oauth/scope.ts'
import type { FieldSpec } from '../../kit/forms/field-spec.ts'
import type { Workspace } from '../../kit/visit/acting.ts'

export interface Asked {
  readonly permissions?: readonly Permission[] | undefined
  readonly workspace_id?: string | undefined
  /** Seconds. */
  readonly expires_in?: number | undefined
}

/** The value of a choice that lessens nothing. */
export const asAsked = 'as_asked'

const hour = 3600
const times = [
  [hour, '1 hour'],
  [8 * hour, '8 hours'],
  [24 * hour, '1 day'],
] as const

export function choicesFor(asked: Asked, workspaces: readonly Workspace[]): FieldSpec[] {
  const scope = scopeOf(asked.permissions)
  const less = scopeOf(reading(asked.permissions ?? permissions))
  const { expires_in = Number.POSITIVE_INFINITY } = asked
  const access: FieldSpec = {
    name: 'scope',
    label: 'What it can do',
    kind: 'radio',
    choices: [
      scope === wholeAccount
        ? [
            scope,
            'Everything you can do',
            'In one workspace: everything in there, and nothing of your account.',
          ]
        : [scope, 'What it asks for'],
      [less, 'Read only', 'It can look, and change nothing.'],
    ],
  }
  const workspace: FieldSpec = {
    name: 'workspace_id',
    label: 'Where',
    kind: 'select',
    choices: [[asAsked, 'In all your workspaces'], ...workspaces.map(({ id, name }) => [id, name] as const)],
  }
  const time: FieldSpec = {
    name: 'expires_in',
    label: 'For how long',
    kind: 'select',
    choices: [
      [
        asAsked,
        asked.expires_in
          ? `${timeText(asked.expires_in)}, as it asks`
          : 'As usual: until 30 days after its last use',
      ],
      ...times.flatMap(([seconds, text]) => (seconds < expires_in ? [[`${seconds}`, text] as const] : [])),
    ],
  }
  return [
    ...(less !== '' && less !== scope ? [access] : []),
    ...(asked.workspace_id === undefined ? [workspace] : []),
    time,
  ]
}

export function timeText(seconds: number): string {
  const known = times.find(([one]) => one === seconds)
  if (known) return known[1]
  return seconds % hour === 0 ? `${seconds / hour} hours` : `${Math.ceil(seconds / 60)} minutes`
}

/** What the form holds; a value that is none of the choices is refused by the service. */
export function chosenIn(value: (name: string) => string) {
  const scope = parseScope(value('scope') || wholeAccount)
  const workspace_id = value('workspace_id') || asAsked
  const expires_in = value('expires_in') || asAsked
  return {
    ...(scope !== wholeAccount && { permissions: [...(scope ?? [])] }),
    ...(workspace_id !== asAsked && { workspace_id }),
    ...(expires_in !== asAsked && { expires_in: Number(expires_in) }),
  }
}
