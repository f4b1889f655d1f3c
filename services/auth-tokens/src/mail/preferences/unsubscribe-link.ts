/**
 * The link of a mail that switches its kind off, for one person and workspace. What it is for is sealed in it: nobody can make
 * one up or change it, it needs no row, and there is nothing else that it could do.
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

/** Undefined: it is not one of ours, or its key is not among the sealing keys any more. */
export function readUnsubscribeToken(token: string, seal: Seal): Unsubscription | undefined {
  try {
    const [user = '', workspace = '', name = ''] = seal.unseal(token, context).split(' ')
    const kind = mailKindNames.find(known => known === name)
    return kind && { user, workspace, kind }
  } catch {
    return undefined
  }
}
