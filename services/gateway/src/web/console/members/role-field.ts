import type { FieldSpec } from '../../kit/forms/field-spec.ts'
import type { Scene } from '../shell/scene.ts'

export const roleField = ({ member }: Scene): FieldSpec => ({
  name: 'role',
  label: 'Role',
  kind: 'select',
  choices: [
    ['member', 'Member – creates offers and handles orders'],
    ['admin', 'Admin – also manages tokens, members, clusters and webhooks'],
    ...(member.role === 'owner' ? [['owner', 'Owner – also manages owners'] as const] : []),
  ],
})
