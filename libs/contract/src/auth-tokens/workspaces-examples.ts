/** Ada makes a workspace, brings others in, and makes API tokens. */
import { entryOf, envelopeError, refusal } from '../core/errors.ts'
import { type MailKind, mailKindNames } from './mail.ts'
import { quotaNames, quotas } from '../core/quotas.ts'
import { roleTooLow } from '../core/refuse-caller.ts'
import { isRefused, succeeds } from '../openapi/example.ts'
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
  rotatedSecret,
} from '../openapi/example-names.ts'

const inAcme = { params: { id: acme } }
const own = {
  id: acme,
  name: 'Acme',
  role: 'owner',
  owner: ada.email,
  chosen: true,
  support_email: null,
  created_at: at(),
} as const

const inWeek = (seconds: number) => ({ created_at: at(seconds), expires_at: at(seconds + 7 * 24 * 3600) })
const pending = { state: 'pending', invited_by: ada.email } as const
const firstOfKim = {
  id: invitations.firstOfKim,
  email: kim.email,
  role: 'member',
  ...pending,
  ...inWeek(60),
} as const
const ofLee = { id: invitations.ofLee, email: lee.email, role: 'admin', ...pending, ...inWeek(90) } as const
const ofKim = { ...firstOfKim, id: invitations.ofKim, ...inWeek(180) } as const
const asSeen = { workspace: { id: acme, name: 'Acme', owner: ada.email } }

const withoutPlaced = {
  ...(Object.fromEntries(mailKindNames.map(kind => [kind, true])) as Record<MailKind, boolean>),
  order_placed: false,
}

const closed = (what: string, state: string, path: string) =>
  refusal('invitation_closed', {
    path: [path],
    message: `The invitation is ${state}, so it cannot be ${what}.`,
    metadata: { state },
  })

export const workspaces = [
  succeeds('auth-tokens', 'create_workspace', {
    summary: 'A workspace for a team',
    by: 'owner',
    request: { body: { name: 'Acme' } },
    answer: { body: own },
  }),
  succeeds('auth-tokens', 'list_workspaces', {
    summary: 'A person’s workspaces',
    by: 'owner',
    request: {},
    answer: {
      body: { data: [own], next_cursor: null },
    },
  }),
  succeeds('auth-tokens', 'update_workspace', {
    summary: 'An address for customers',
    by: 'owner',
    request: { params: { id: acme }, body: { support_email: 'help@acme.example' } },
    answer: { body: { ...own, support_email: 'help@acme.example' } },
  }),
  succeeds('auth-tokens', 'get_limits', {
    summary: 'The members of a new workspace',
    by: 'owner',
    request: {},
    answer: {
      body: {
        rate_limits: [
          { policy: 'credential', limit: 1000, window_seconds: 4, remaining: 996, resets_in_seconds: 1 },
          { policy: 'workspace', limit: 2000, window_seconds: 4, remaining: 1996, resets_in_seconds: 1 },
        ],
        quotas: quotaNames.toSorted().map(quota => ({
          quota,
          used: quota === 'members' ? 1 : 0,
          most: quotas[quota].most,
          counts: quotas[quota].counts,
        })),
      },
    },
  }),
  succeeds('auth-tokens', 'add_member', {
    summary: 'An invitation',
    by: 'owner',
    request: { ...inAcme, body: { email: kim.email, role: 'member' } },
    answer: { body: firstOfKim },
  }),
  succeeds('auth-tokens', 'add_member', {
    name: 'unknown',
    summary: 'An address without an account: the same response',
    by: 'owner',
    request: { ...inAcme, body: { email: lee.email, role: 'admin' } },
    answer: { body: ofLee },
  }),
  isRefused('auth-tokens', 'add_member', {
    summary: 'Already invited',
    by: 'owner',
    request: { ...inAcme, body: { email: kim.email, role: 'member' } },
    refusal: refusal('already_exists', {
      path: ['email'],
      message:
        'This person is already a member or has a pending invitation. Change the role of the member, or revoke the invitation and invite again.',
    }),
  }),
  succeeds('auth-tokens', 'list_workspace_invitations', {
    summary: 'Pending invitations',
    by: 'owner',
    request: inAcme,
    answer: { body: { data: [ofLee, firstOfKim], next_cursor: null } },
  }),
  succeeds('auth-tokens', 'revoke_invitation', {
    summary: 'Sent to the wrong address',
    by: 'owner',
    request: { params: { id: acme, invitation_id: ofLee.id } },
    answer: {},
  }),
  succeeds('auth-tokens', 'list_invitations', {
    summary: 'Kim’s invitations',
    by: 'invited',
    request: {},
    answer: { body: { data: [{ ...firstOfKim, ...asSeen }], next_cursor: null } },
  }),
  succeeds('auth-tokens', 'decline_invitation', {
    summary: 'Kim declines',
    by: 'invited',
    request: { params: { id: firstOfKim.id } },
    answer: { body: { ...firstOfKim, ...asSeen, state: 'declined' } },
  }),
  isRefused('auth-tokens', 'accept_invitation', {
    summary: 'Already declined',
    by: 'invited',
    request: { params: { id: firstOfKim.id } },
    refusal: closed('accepted', 'declined', 'id'),
  }),
  succeeds('auth-tokens', 'add_member', {
    name: 'anew',
    summary: 'Kim is invited again',
    by: 'owner',
    aside: true,
    request: { ...inAcme, body: { email: kim.email, role: 'member' } },
    answer: { body: ofKim },
  }),
  succeeds('auth-tokens', 'accept_invitation', {
    summary: 'Kim becomes a member',
    by: 'invited',
    request: { params: { id: ofKim.id } },
    answer: { body: { ...ofKim, ...asSeen, state: 'accepted' } },
  }),
  isRefused('auth-tokens', 'decline_invitation', {
    summary: 'Already accepted',
    by: 'invited',
    request: { params: { id: ofKim.id } },
    refusal: closed('declined', 'accepted', 'id'),
  }),
  isRefused('auth-tokens', 'revoke_invitation', {
    summary: 'Already accepted',
    by: 'owner',
    request: { params: { id: acme, invitation_id: ofKim.id } },
    refusal: closed('revoked', 'accepted', 'invitation_id'),
  }),
  succeeds('auth-tokens', 'list_members', {
    summary: 'List',
    by: 'owner',
    request: inAcme,
    answer: {
      body: {
        data: [
          { ...ada, role: 'owner', created_at: at() },
          { ...kim, role: 'member', created_at: at(200) },
        ],
        next_cursor: null,
      },
    },
  }),
  succeeds('auth-tokens', 'update_mail_preferences', {
    summary: 'No email for each order placed',
    by: 'owner',
    request: { ...inAcme, body: { order_placed: false } },
    answer: { body: withoutPlaced },
  }),
  succeeds('auth-tokens', 'get_mail_preferences', {
    summary: 'Get',
    by: 'owner',
    request: inAcme,
    answer: { body: withoutPlaced },
  }),
  succeeds('auth-tokens', 'update_member', {
    summary: 'A member becomes admin',
    by: 'owner',
    request: { params: { id: acme, user_id: kim.id }, body: { role: 'admin' } },
    answer: { body: { ...kim, role: 'admin', created_at: at(200) } },
  }),
  isRefused('auth-tokens', 'update_member', {
    summary: 'The last owner',
    by: 'owner',
    request: { params: { id: acme, user_id: ada.id }, body: { role: 'member' } },
    refusal: refusal('last_owner', {
      path: ['role'],
      message: 'This is the last owner of the workspace. Make another member an owner first.',
    }),
  }),
  succeeds('auth-tokens', 'delete_member', {
    summary: 'A member is removed',
    by: 'owner',
    request: { params: { id: acme, user_id: kim.id } },
    answer: {},
  }),
  isRefused('auth-tokens', 'delete_member', {
    summary: 'The last owner tries to leave',
    by: 'owner',
    request: { params: { id: acme, user_id: ada.id } },
    refusal: refusal('last_owner', {
      path: ['user_id'],
      message: 'This is the last owner of the workspace. Make another member an owner first.',
    }),
  }),
]

const deploy = { id: deployToken.id, name: 'deploy' }
const laptop = { id: laptopToken.id, name: 'laptop' }

export const apiTokens = [
  succeeds('auth-tokens', 'create_api_token', {
    summary: 'A token that expires',
    by: 'owner',
    request: { body: { name: 'deploy', expires_at: nextCentury } },
    answer: { body: { ...deploy, token: deployToken.token, expires_at: nextCentury } },
  }),
  succeeds('auth-tokens', 'create_api_token', {
    name: 'lasting',
    summary: 'A token without expiry that ends with its creator',
    by: 'owner',
    request: { body: { name: 'laptop', ends_with_creator: true } },
    answer: { body: { ...laptop, token: laptopToken.token } },
  }),
  isRefused('auth-tokens', 'create_api_token', {
    summary: 'An API token cannot create tokens',
    by: 'script',
    request: { body: { name: 'another' } },
    refusal: roleTooLow(['owner', 'admin'], 'member'),
  }),
  isRefused('auth-tokens', 'create_api_token', {
    summary: 'Two things are wrong',
    by: 'owner',
    request: { body: { name: '', expires: nextCentury } },
    refusal: envelopeError('Validation', [
      entryOf('invalid_body', { path: ['name'], message: 'name must have at least 1 character.' }),
      entryOf('invalid_body', {
        path: ['expires'],
        message: 'expires is not accepted here: did you mean expires_at?',
      }),
    ]),
  }),
  succeeds('auth-tokens', 'list_api_tokens', {
    summary: 'The first page of two',
    by: 'owner',
    request: { query: { limit: '1' } },
    answer: {
      body: {
        data: [
          {
            ...laptop,
            hint: laptopToken.hint,
            created_at: at(300),
            created_by: ada.id,
            last_used_at: null,
            expires_at: null,
            stale: false,
            ends_with_creator: true,
            creator_email: ada.email,
            creator_is_member: true,
          },
        ],
        next_cursor: 'dG9rXzAxa2IybTh4cTU',
      },
    },
  }),
  succeeds('auth-tokens', 'list_api_tokens', {
    name: 'ends_before',
    summary: 'Those that end before a time',
    by: 'owner',
    request: { query: { ends_before: String(nextCentury + 1) } },
    answer: {
      body: {
        data: [
          {
            ...deploy,
            hint: deployToken.hint,
            created_at: at(300),
            created_by: ada.id,
            last_used_at: null,
            expires_at: nextCentury,
            stale: false,
            ends_with_creator: false,
            creator_email: ada.email,
            creator_is_member: true,
          },
        ],
        next_cursor: null,
      },
    },
  }),
  succeeds('auth-tokens', 'rotate_api_token', {
    summary: 'The old secret stays valid for another hour',
    by: 'owner',
    request: { params: { id: laptopToken.id }, body: { grace_seconds: 3600 } },
    answer: { body: { ...laptop, token: rotatedSecret, previous_expires_at: at(600 + 3600) } },
  }),
  succeeds('auth-tokens', 'revoke_api_token', {
    summary: 'A lost token',
    by: 'owner',
    request: { params: { id: laptopToken.id } },
    answer: {},
  }),
  isRefused('auth-tokens', 'revoke_api_token', {
    summary: 'Already revoked',
    by: 'owner',
    request: { params: { id: laptopToken.id } },
    refusal: refusal('not_found', { path: ['id'] }),
  }),
  isRefused('auth-tokens', 'rotate_api_token', {
    summary: 'The token was revoked',
    by: 'owner',
    request: { params: { id: laptopToken.id } },
    refusal: refusal('not_found', { path: ['id'] }),
  }),
]
