import type { mailGroups } from '@svc/contract/auth-tokens/mail'
import { browserName } from '@svc/runtime/browser-name'
import { factorChanges } from './factor-changes.ts'
import type { AccountKind, ContentOf } from './notice.ts'
import { addressText, nameText, timeText } from './notice-parts.ts'

const networkAddress = /^[\da-f.:]+$/i

const fromText = (address: string | undefined) =>
  address && networkAddress.test(address) ? address : 'an unknown address'

type OwnKind = (typeof mailGroups.owner)[number] | AccountKind

export const ownContent: ContentOf<OwnKind> = {
  token_ends: ({ token, hint, days, ends_at, last_used_at }) => ({
    subject: days === 1 ? 'An API token expires within a day' : 'An API token expires in 7 days',
    brief: `${nameText(token)} (…${hint ?? ''}), ${timeText(ends_at)}`,
    paragraphs: [
      last_used_at === null || last_used_at === undefined
        ? 'It has never been used, so perhaps nothing depends on it.'
        : 'What uses it is refused from then on. Create another token in time; the time at which a token expires can’t be changed.',
    ],
    rows: [
      ['Token', `${nameText(token)} (…${hint ?? ''})`],
      ['Expires', timeText(ends_at)],
      ['Last used', timeText(last_used_at)],
    ],
    action: { label: 'How to create a token', path: '/docs/authentication' },
  }),
  member_joined: (_facts, { member }) => ({
    subject: 'Someone has joined a workspace',
    brief: addressText(member, 'a new member'),
    paragraphs: ['They can see and do what members can. If you do not know them, remove them.'],
    rows: [['Member', addressText(member, 'a new member')]],
    action: { label: 'How members are removed', path: '/docs/workspaces' },
  }),
  new_browser: ({ at, address, user_agent }) => ({
    subject: 'A sign-in from a new browser',
    brief: timeText(at),
    paragraphs: [
      'Somebody signed in to your account with your password from a new browser.',
      'If this was you, there’s nothing to do. If not, end that session and set a new password, which ends all others.',
    ],
    rows: [
      ['When', timeText(at)],
      ['From', fromText(address)],
      ['Browser', nameText(browserName(user_agent ?? null)) || 'unknown'],
    ],
    action: { label: 'See your sessions', path: '/sessions' },
  }),
  password_changed: ({ at, address }) => ({
    subject: 'Your password was changed',
    brief: timeText(at),
    paragraphs: [
      'Your password was changed on the page of your account. All other sessions were signed out.',
      'If this was not you, set a new password by the link below, which ends all sessions.',
    ],
    rows: [
      ['When', timeText(at)],
      ['From', fromText(address)],
    ],
    action: { label: 'Set a new password', path: '/forgot-password' },
  }),
  factor_changed: ({ at, address, change = 'reset' }) => {
    const [subject, meaning] = factorChanges[change]
    return {
      subject,
      brief: timeText(at),
      paragraphs: [
        meaning,
        'If this was not you, set a new password by “Forgot password?” on the sign-in page, which ends all sessions, and ask the operator for help.',
      ],
      rows: [
        ['When', timeText(at)],
        ['From', fromText(address)],
      ],
      action: { label: 'See your second factors', path: '/security' },
    }
  },
}
