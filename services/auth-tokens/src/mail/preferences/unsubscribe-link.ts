/**
 * The link that switches a kind of mail off for one person and workspace. These are sealed in it: nobody can forge
 * or change it, it needs no row, and it can do nothing else.
 */
import { mailKindNames, type MailKind } from '@svc/contract/auth-tokens/mail'
import type { Seal } from '@svc/runtime/seal'

export interface Unsubscription {
  readonly user: string
  readonly workspace: string
  readonly kind: MailKind
}

const context = 'unsubscribe'

export const unsubscribeLink = (
  { user, workspace, kind }: Unsubscription,
  seal: Seal,
  publicUrl: string,
): string => `${publicUrl}/mail/unsubscribe?token=${seal.seal(`${user} ${workspace} ${kind}`, context)}`

/** Undefined if it is not ours, or its key is no longer among the sealing keys. */
export function readUnsubscribeToken(token: string, seal: Seal): Unsubscription | undefined {
  try {
    const [user = '', workspace = '', name = ''] = seal.unseal(token, context).split(' ')
    const kind = mailKindNames.find(known => known === name)
    return kind && { user, workspace, kind }
  } catch {
    return undefined
  }
}
