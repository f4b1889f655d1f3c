import { permissions } from '@svc/contract/core/permissions'
import { operations } from '@svc/contract/services'

export function permissionTable(): string {
  const rows = permissions.map(permission => {
    const own = operations.flatMap(({ operation }) =>
      operation.permission === permission ? [operation] : [],
    )
    const callsOf = (isForMembers: boolean) =>
      own
        .filter(({ access }) => access.roles.includes('member') === isForMembers)
        .map(({ http }) => `\`${http?.method} ${http?.path}\``)
        .join(', ')
    return `| \`${permission}\` | ${callsOf(true)} | ${callsOf(false)} |`
  })
  return ['| Permission | For members | For owners and admins |', '|-|-|-|', ...rows].join('\n')
}
