import type { ClaimedMessage, SignUpDetails, WebhookDetails } from './claim-message.ts'
import { invitationLifetimeSeconds } from '../members/invitation.ts'
import { linkLifetimeHours } from '../people/verification-links.ts'
import { saleText } from './notices/notice-parts.ts'
import { mailHtml } from './template/mail-html.tsx'
import { plainAddress, quotable } from './quotable.ts'

export interface MessageText {
  readonly subject: string
  readonly text: string
  readonly html?: string
  readonly unsubscribe?: string
}

/** @param link proves the address and sets a password; more parameters may be appended */
export function messageText(message: ClaimedMessage, link: string, publicUrl: string): MessageText {
  const content = contentOf(message, link, publicUrl)
  return { subject: content.subject, text: textOf(content), html: htmlOf(content) }
}

interface Content {
  readonly subject: string
  readonly first: string
  readonly action?: { readonly lead: string; readonly label: string; readonly url: string }
  readonly rest: readonly string[]
}

function contentOf(message: ClaimedMessage, link: string, publicUrl: string): Content {
  if (message.kind === 'webhook') return webhook(message, publicUrl)
  return message.kind === 'invitation'
    ? invitation(message, link, publicUrl)
    : verification(message, link, publicUrl)
}

const textOf = ({ first, action, rest }: Content): string =>
  `${[first, ...(action ? [`${action.lead}:\n${action.url}`] : []), ...rest].filter(Boolean).join('\n\n')}\n`

const htmlOf = ({ subject, first, action, rest }: Content): string =>
  mailHtml({
    title: subject,
    paragraphs: [first, ...(action ? [`${action.lead}:`] : [])],
    rows: [],
    items: [],
    ...(action && { action }),
    after: rest,
  })

function webhook({ details, workspace_name }: ClaimedMessage, publicUrl: string): Content {
  const { kind, host, since } = (details as WebhookDetails | null) ?? {
    kind: 'failing',
    host: '',
    since: null,
  }
  const name = `"${quotable(workspace_name ?? '')}"`
  const where = `The webhook endpoint at ${quotable(host)} of the workspace ${name} at ${publicUrl}`
  const failing =
    since === null ? '' : ` since ${new Date(since * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const waits = 'No event is lost: what happens meanwhile is sent once the endpoint'
  const why = 'You get this email as an owner or admin of the workspace.'
  if (kind === 'failing') {
    return {
      subject: 'A webhook endpoint fails',
      first: `${where} has accepted nothing${failing}.`,
      rest: [
        `${waits} accepts requests again. After ${disableAfterDays} days without any success it is disabled.`,
        'GET /webhook_endpoints/{id}/deliveries says what went wrong.',
        why,
      ],
    }
  }
  return {
    subject: 'A webhook endpoint was disabled',
    first:
      kind === 'gone'
        ? `${where} was disabled, as it answered 410 Gone.`
        : `${where} was disabled, as it has accepted nothing${failing}.`,
    rest: [`${waits} is resumed with POST /webhook_endpoints/{id}/resume.`, why],
  }
}

function verification(
  { email, signed_up, details }: ClaimedMessage,
  link: string,
  publicUrl: string,
): Content {
  const offer = details as SignUpDetails | null
  const goal = offer ? `to order ${saleText(offer.product, offer.seller)}` : ''
  const url = offer ? `${link}&${new URLSearchParams({ return_to: offer.return_to })}` : link
  return {
    subject: signed_up ? 'Set a new password' : ['Confirm your email', goal].join(' ').trim(),
    first: signed_up
      ? `A new password was requested for ${email} at ${publicUrl}.`
      : `Confirm your email for ${publicUrl} ${goal || 'to finish signing up'} as ${email}.`,
    action: { lead: 'Choose a password here', label: 'Choose a password', url },
    rest: [
      validity(signed_up ? 'Choosing a new password signs you out everywhere else.' : ''),
      'If this was not you, ignore this email: nothing changes without the link. Do not share this link.',
    ],
  }
}

function invitation(
  { email, role, workspace_name, inviter, signed_up }: ClaimedMessage,
  link: string,
  publicUrl: string,
): Content {
  const name = `"${quotable(workspace_name ?? '')}"`
  const who = inviter !== null && plainAddress.test(inviter) ? inviter : 'An administrator'
  const subject = 'Invitation to a workspace'
  const first = `${who} invited ${email} to the workspace ${name} at ${publicUrl}, with the role ${role}.`
  const answer = `To see who owns it and to accept or decline within ${invitationDays} days`
  if (signed_up) {
    return {
      subject,
      first,
      action: { lead: `${answer}, open`, label: 'See the invitation', url: `${publicUrl}${invitationsPath}` },
      rest: ['If you did not expect this, ignore this email: you become a member only if you accept.'],
    }
  }
  return {
    subject,
    first,
    action: {
      lead: `${answer}, choose a password here`,
      label: 'Choose a password',
      url: `${link}&return_to=${invitationsPath}`,
    },
    rest: [
      validity(`You can ask for another link later at ${publicUrl}/sign-up.`),
      'If you did not expect this, ignore this email: nothing changes without the link. Do not share this link.',
    ],
  }
}

const invitationsPath = '/invitations'
const disableAfterDays = 5
const invitationDays = invitationLifetimeSeconds / 86_400

const validity = (more: string) =>
  `The link works once, within ${linkLifetimeHours} hours.${more && ` ${more}`}`
