import { operations } from '@svc/contract/services'
import { referenceOf } from '@svc/contract/openapi/reference'

export function roleTable(): string {
  const groups = new Map<string, string[]>()
  for (const named of operations) {
    const { http, access } = named.operation
    if (!http || access.roles.length === 0 || access.roles.includes('member')) continue
    const { group } = referenceOf(named)
    groups.set(group, [...(groups.get(group) ?? []), `\`${http.method} ${http.path}\``])
  }
  const rows = [...groups].sort().map(([group, calls]) => `| ${group} | ${calls.join(', ')} |`)
  return ['| Group | For admins and owners |', '|-|-|', ...rows].join('\n')
}
