import type { FieldSpec } from '../forms/field-spec.ts'
import type { Scene } from '../shell/scene.ts'

/** Only owners appoint owners. */
export const roleField = ({ member }: Scene): FieldSpec => ({
  name: 'role',
  label: 'Role',
  kind: 'select',
  flag: '--role',
  choices: [
    ['member', 'Member: makes offers, and decides on orders'],
    ['admin', 'Admin: also tokens, members, clusters and webhooks'],
    ...(member.role === 'owner' ? [['owner', 'Owner: also appoints owners'] as const] : []),
  ],
})
