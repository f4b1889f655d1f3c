/** What the messages say. */
import type { ClaimedMessage } from './claim-message.ts'
import { linkLifetimeHours } from './verification-links.ts'

export interface MessageText {
  readonly subject: string
  readonly text: string
}

/** @param link where the address is proven and a password chosen */
export function messageText(message: ClaimedMessage, link: string, publicUrl: string): MessageText {
  return message.kind === 'invitation'
    ? invitation(message, link, publicUrl)
    : verification(message, link, publicUrl)
}

function verification({ email, signed_up }: ClaimedMessage, link: string, publicUrl: string): MessageText {
  return {
    subject: signed_up ? 'Set a new password' : 'Confirm your address',
    text: paragraphs(
      signed_up
        ? `Somebody, most likely you, asked for a new password for ${email} at ${publicUrl}.`
        : `Somebody, most likely you, wants to sign up as ${email} at ${publicUrl}.`,
      `Choose a password here:\n${link}`,
      validity(signed_up ? 'When you do, every session of yours ends.' : ''),
      'If it was not you, do nothing: without the link nothing changes. Pass it on to nobody.',
    ),
  }
}

function invitation(
  { email, role, workspace_name, inviter, signed_up }: ClaimedMessage,
  link: string,
  publicUrl: string,
): MessageText {
  const title = oneLine(workspace_name ?? '')
  const name = `"${title}"`
  const who = inviter ?? 'An administrator'
  if (signed_up) {
    return {
      subject: `You are a member of ${title} now`,
      text: paragraphs(
        `${who} has made ${email} a member of the workspace ${name} at ${publicUrl}, with the role ${role}.`,
        `Sign in as usual:\n${publicUrl}/sign-in`,
        'If you did not expect this, you can leave the workspace, and tell the one who added you.',
      ),
    }
  }
  return {
    subject: `Invitation to ${title}`,
    text: paragraphs(
      `${who} invites ${email} to the workspace ${name} at ${publicUrl}, with the role ${role}.`,
      `To accept, choose a password here:\n${link}`,
      validity(`Later you can ask for another link at ${publicUrl}/sign-up.`),
      'If you did not expect this, do nothing: without the link nothing changes. Pass it on to nobody.',
    ),
  }
}

const validity = (more: string) =>
  `The link works once, and for ${linkLifetimeHours} hours.${more && ` ${more}`}`

const paragraphs = (...texts: string[]) => `${texts.join('\n\n')}\n`

/** Names are other people's: with line breaks or marks of writing direction they could pretend to be text of ours. */
const oneLine = (name: string) => name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
