/** A workspace with people, and mail that another service asks for. */
import { newId } from '@svc/runtime/id'
import type { MailScene } from './mail-scene.ts'

export const orderFacts = {
  order_id: 'order_1',
  offer_id: 'offer_1',
  product: 'Analytics',
  price: { currency: 'eur', unit_amount: 4900, interval: 'month' },
  is_test: false,
  customer: 'kim@globex.example',
  ends_at: 1_795_280_400,
  seats: 5,
}

export const orderMail = (workspace_id: string, kind: string, facts: object = {}) => ({
  key: `${newId('evt')} ${kind}`,
  kind,
  workspace_id,
  user_id: null,
  facts: { ...orderFacts, ...facts },
})

export const subscriptionFacts = {
  install_id: 'inst_1',
  paid_through: 1_795_280_400,
  grace_until: 1_795_885_200,
  cancel_at: null,
  end_reason: null,
}

/** Its members have verified their addresses, but for one more owner. */
export async function newTeam({ service, people }: MailScene) {
  const workspace = await service.newWorkspace()
  const verified = async (role: 'owner' | 'admin' | 'member') => {
    const { user, ...caller } = await people.person(workspace, role)
    const [row] = await service.sql`
      update auth_tokens.users set verified_at = now() where id = ${user} returning email`
    return { ...caller, user, email: String(row?.email) }
  }
  const team = {
    workspace,
    owner: await verified('owner'),
    admin: await verified('admin'),
    member: await verified('member'),
  }
  await people.person(workspace, 'owner')
  return team
}
