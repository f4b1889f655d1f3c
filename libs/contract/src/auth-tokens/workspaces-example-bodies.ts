import type { Permission } from '../core/permissions.ts'
import { type MailKind, mailKindNames } from './mail.ts'
import { refusal } from '../core/errors.ts'
import {
  acme,
  ada,
  at,
  deployToken,
  invitations,
  kim,
  laptopToken,
  lee,
  nextCentury,
} from '../openapi/example-names.ts'

export const inAcme = { params: { id: acme } }
export const own = {
  id: acme,
  name: 'Acme',
  role: 'owner',
  owner: ada.email,
  support_email: null,
  require_second_factor: false,
  created_at: at(),
} as const

export const inWeek = (seconds: number) => ({
  created_at: at(seconds),
  expires_at: at(seconds + 7 * 24 * 3600),
})
export const pending = { state: 'pending', invited_by: ada.email } as const
export const firstOfKim = {
  id: invitations.firstOfKim,
  email: kim.email,
  role: 'member',
  ...pending,
  ...inWeek(60),
} as const
export const ofLee = {
  id: invitations.ofLee,
  email: lee.email,
  role: 'admin',
  ...pending,
  ...inWeek(90),
} as const
export const ofKim = { ...firstOfKim, id: invitations.ofKim, ...inWeek(180) } as const
export const asSeen = { workspace: { id: acme, name: 'Acme', owner: ada.email } }

export const withoutPlaced = {
  ...(Object.fromEntries(mailKindNames.map(kind => [kind, true])) as Record<MailKind, boolean>),
  order_placed: false,
}

export const closed = (what: string, state: string, path: string) =>
  refusal('invitation_closed', {
    path: [path],
    message: `The invitation is ${state}, so it cannot be ${what}.`,
    metadata: { state },
  })

export const deploy = { id: deployToken.id, name: 'deploy' }
export const laptop = { id: laptopToken.id, name: 'laptop' }

const listed = {
  created_at: at(300),
  created_by: ada.id,
  last_used_at: null,
  previous_expires_at: null,
  stale: false,
  permissions: null,
  allowed_addresses: null,
  creator_email: ada.email,
  creator_is_member: true,
}
export const listedDeploy = {
  ...deploy,
  ...listed,
  hint: deployToken.hint,
  expires_at: nextCentury,
  ends_with_creator: false,
}
export const listedLaptop = {
  ...laptop,
  ...listed,
  hint: laptopToken.hint,
  expires_at: null,
  ends_with_creator: true,
}
export const narrowedLaptop = {
  permissions: ['offers:read', 'offers:write'] as const satisfies Permission[],
  allowed_addresses: ['203.0.113.0/24'],
}
