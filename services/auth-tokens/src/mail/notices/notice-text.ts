import { mailGroups, mailKinds } from '@svc/contract/auth-tokens/mail'
import type { Seal } from '@svc/runtime/seal'
import type { ClaimedMessage, DigestDetails } from '../claim-message.ts'
import type { MessageText } from '../message-text.ts'
import { unsubscribeLink } from '../preferences/unsubscribe-link.ts'
import { mailHtml } from '../template/mail-html.tsx'
import { isAboutAccount, type NoticeFacts, type NoticeKind } from './notice.ts'
import { noticeContent } from './notice-content.ts'
import { mailText, type MailParts } from '../template/mail-parts.ts'
import { nameText } from './notice-parts.ts'

interface NoticeOptions {
  readonly publicUrl: string
  readonly seal: Seal
}

export function noticeText(message: ClaimedMessage, kind: NoticeKind, options: NoticeOptions): MessageText {
  const { subject, mail } =
    message.kind === 'digest' ? digest(message, kind, options) : notice(message, kind, options)
  const { unsubscribe } = mail
  return { subject, text: mailText(mail), html: mailHtml(mail), ...(unsubscribe && { unsubscribe }) }
}

function notice(message: ClaimedMessage, kind: NoticeKind, options: NoticeOptions) {
  const { subject, paragraphs, rows, quote, action } = noticeContent(
    kind,
    message.details as NoticeFacts,
    namesOf(message),
  )
  const mail: MailParts = {
    title: subject,
    paragraphs,
    rows,
    ...(quote && { quote }),
    items: [],
    action: { label: action.label, url: options.publicUrl + action.path },
    ...footOf(message, kind, options),
  }
  return { subject, mail }
}

function digest(message: ClaimedMessage, kind: NoticeKind, options: NoticeOptions) {
  const { count, items } = message.details as DigestDetails
  const contents = items.map(facts => noticeContent(kind, facts, namesOf(message)))
  const [first] = contents
  const [, list, nouns] = /^(.*\/(orders|installs))\//.exec(first?.action.path ?? '') ?? []
  const what = isAboutAccount(kind) ? first?.subject : mailKinds[kind].replace(/\.$/, '')
  const subject = `${count} more: ${what}`
  const more = count - items.length
  const mail: MailParts = {
    title: subject,
    paragraphs: [
      'There were more of these than we send one by one in a day, so here is the rest at once.',
      ...(more > 0 ? [`These are the first ${items.length}; ${more} more happened.`] : []),
    ],
    rows: [],
    items: contents.map(({ brief, action }) => ({ text: brief, url: options.publicUrl + action.path })),
    action: list
      ? { label: `See all ${nouns}`, url: options.publicUrl + list }
      : { label: first?.action.label ?? '', url: options.publicUrl + (first?.action.path ?? '') },
    ...footOf(message, kind, options),
  }
  return { subject, mail }
}

const namesOf = ({ workspace_id, workspace_name, seller_name, member_email }: ClaimedMessage) => ({
  workspaceId: workspace_id ?? '',
  workspace: workspace_name ?? '',
  seller: seller_name,
  member: member_email,
})

function footOf(
  { user_id, workspace_id, workspace_name }: ClaimedMessage,
  kind: NoticeKind,
  options: NoticeOptions,
) {
  if (isAboutAccount(kind) || user_id === null || workspace_id === null)
    return { why: 'You get this email as it concerns the security of your account.' }
  const { publicUrl, seal } = options
  const name = `"${nameText(workspace_name)}"`
  const isCustomer = mailGroups.customer.some(one => one === kind)
  return {
    why: isCustomer
      ? `You get this email for an order of the workspace ${name}.`
      : `You get this email for what you manage in the workspace ${name}.`,
    unsubscribe: unsubscribeLink({ user: user_id, workspace: workspace_id, kind }, seal, publicUrl),
    preferences: `${publicUrl}/mail?workspace=${encodeURIComponent(workspace_id)}`,
  }
}
