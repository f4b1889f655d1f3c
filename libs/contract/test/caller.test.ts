import { describe, expect, test } from 'vitest'
import {
  anybody,
  customer,
  internal,
  internalForWorkspace,
  workspaceAdmin,
  workspaceMember,
} from '../src/core/access.ts'
import { type Caller, caller } from '../src/core/caller.ts'
import { refuseCaller } from '../src/core/refuse-caller.ts'
import type { Access, Operation } from '../src/core/operation.ts'

const workspace = 'ws_a'
const session = { kind: 'session', id: 'sess_a', user: 'user_a' } as const
const jwt = { kind: 'jwt', id: 'jti', user: 'user_a' } as const
const token = { kind: 'api_token', id: 'tok_a', workspace, role: 'member' } as const
const program = { kind: 'internal', id: 'billing' } as const
const nobody = { kind: 'anonymous', id: 'anonymous' } as const
const withRole = (role: 'owner' | 'admin' | 'member') => ({ ...session, workspace, role })

const operation = (access: Access): Operation => ({ summary: 'Does something', access, errors: [] })
const sessionsAlone = { credentials: ['session'], workspace: false, roles: [] } as const

describe('admission', () => {
  test.each<[string, Access, Caller, string | undefined]>([
    ['an owner, to what is for members', workspaceMember, withRole('owner'), undefined],
    ['an admin, to what is for members', workspaceMember, withRole('admin'), undefined],
    ['a member, to what is for members', workspaceMember, withRole('member'), undefined],
    ['an API token, to what is for members', workspaceMember, token, undefined],
    ['a JWT with a role', workspaceMember, { ...jwt, workspace, role: 'member' }, undefined],
    ['an owner, to what is for admins', workspaceAdmin, withRole('owner'), undefined],
    ['an admin, to what is for admins', workspaceAdmin, withRole('admin'), undefined],
    ['a program, with a workspace', workspaceAdmin, { ...program, workspace }, undefined],
    ['a program, to what needs no workspace', internal, program, undefined],
    ['a session, to what needs no workspace', sessionsAlone, session, undefined],
    ['a member, not to what is for admins', workspaceAdmin, withRole('member'), 'role_too_low'],
    ['an API token, not to what is for admins', workspaceAdmin, token, 'role_too_low'],
    ['a session without a workspace', workspaceMember, session, 'workspace_required'],
    [
      'a session with a workspace and no role',
      workspaceMember,
      { ...session, workspace },
      'workspace_required',
    ],
    ['a program without a workspace', workspaceMember, program, 'workspace_required'],
    ['a program without a workspace, to its own', internalForWorkspace, program, 'workspace_required'],
    ['an owner, not to what is for programs', internal, withRole('owner'), 'credential_kind'],
    [
      'an owner, not to what programs do in a workspace',
      internalForWorkspace,
      withRole('owner'),
      'credential_kind',
    ],
    ['nobody, to what is for everyone', anybody, nobody, undefined],
    ['a session without a workspace, to what is for everyone', anybody, session, undefined],
    ['an API token, to what is for everyone', anybody, token, undefined],
    ['a program, to what is for everyone', anybody, program, undefined],
    ['nobody, not to what is for members', workspaceMember, nobody, 'credential_missing'],
    ['nobody, not to what is for customers', customer, nobody, 'credential_missing'],
    ['nobody, not to what is for programs', internal, nobody, 'credential_missing'],
    ['a session without a workspace, not to what is for customers', customer, session, 'workspace_required'],
    ['an API token, not to what is for sessions', sessionsAlone, token, 'credential_kind'],
  ])('%s', (_, access, who, reason) => {
    expect(refuseCaller(operation(access), who)?.reason).toBe(reason)
  })

  test('a caller whose role is too low is told the sufficient roles, and their own', () => {
    expect(refuseCaller(operation(workspaceAdmin), withRole('member'))?.message).toBe(
      'This requires the role owner or admin in the workspace; the credential has the role member.',
    )
  })
})

describe('a caller on the bus', () => {
  test.each<[string, unknown, boolean]>([
    ['a session', session, true],
    ['a session in a workspace', withRole('admin'), true],
    ['a JWT', jwt, true],
    ['an API token', token, true],
    ['a program', program, true],
    ['a program for a workspace', { ...program, workspace }, true],
    ['a session with an e-mail address', { ...session, email: 'a@b.example' }, true],
    ['nobody', nobody, true],
    ['nobody with a name', { ...nobody, id: 'a' }, false],
    ['nobody in a workspace', { ...nobody, workspace }, false],
    ['nobody with an e-mail address', { ...nobody, email: 'a@b.example' }, false],
    ['an API token with an e-mail address', { ...token, email: 'a@b.example' }, false],
    ['an e-mail address that is empty', { ...session, email: '' }, false],
    ['an API token with a higher role', { ...token, role: 'owner' }, false],
    ['an API token without a workspace', { ...token, workspace: undefined }, false],
    ['an API token with a user', { ...token, user: 'user_a' }, false],
    ['a session without a user', { kind: 'session', id: 'sess_a' }, false],
    ['an unknown role', { ...session, workspace, role: 'root' }, false],
    ['an unknown kind', { kind: 'root', id: 'a' }, false],
    ['a workspace that is none', { ...program, workspace: 'nope' }, false],
    ['a program with a role', { ...program, workspace, role: 'owner' }, false],
    ['another property', { ...session, admin: true }, false],
    ['an id that is empty', { ...program, id: '' }, false],
    ['nothing', undefined, false],
  ])('%s: %j is %s', (_, value, valid) => {
    expect(caller.safeParse(value).success).toBe(valid)
  })
})
