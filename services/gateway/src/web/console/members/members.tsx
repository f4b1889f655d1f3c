import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import { callOf } from '../forms/call-of.ts'
import { CommandLines } from '../forms/command-lines-view.tsx'
import { ConsolePage } from '../shell/console-page.tsx'
import { readList, readPage } from '../../kit/visit/read-list.ts'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import type { Answer, Item } from '../ui/answers.ts'
import { type Column, Only, Pager, Table } from '../ui/list.tsx'
import { Action, Badge, Card, PageHead } from '../../kit/ui/parts.tsx'
import { queryOf } from '../ui/query-of.ts'
import { When } from '../../kit/ui/when.tsx'
import { invitePages } from './invite.tsx'
import { mayChange, memberChanges } from './change-member.tsx'

const { list_members, add_member, update_member, list_workspace_invitations, revoke_invitation } =
  authTokens.operations

export function memberPages(pages: ConsolePages) {
  invitePages(pages)
  memberChanges(pages)

  pages.get('/members', async scene => {
    const params = { id: scene.workspace.id }
    const id = scene.query.get('id')
    const ofInvitation = id?.startsWith('inv_') ?? false
    const [members, invitations] = await Promise.all([
      ofInvitation
        ? noMembers
        : readPage(
            scene,
            query => scene.invoke(authTokens, 'list_members', { params, query }),
            queryOf(scene, list_members.query),
          ),
      scene.may(list_workspace_invitations) && (!id || ofInvitation)
        ? readList(query => scene.invoke(authTokens, 'list_workspace_invitations', { params, query }))
        : [],
    ])
    const mayManage = scene.may(update_member)
    const hasActions =
      mayManage && members.data.some(one => one.id === scene.member.user || mayChange(scene, one))
    const shownInvitations = id ? invitations.filter(one => one.id === id) : invitations
    if (ofInvitation && shownInvitations.length === 0) throw refusal('not_found')
    return scene.show(
      <ConsolePage scene={scene} title="Members" part="/members">
        <PageHead title="Members" text="People with access to this workspace.">
          {!mayManage && (
            <Action href={`${scene.root}/members/${scene.member.user}/remove`} look="danger">
              Leave workspace
            </Action>
          )}
          {scene.may(add_member) && (
            <Action href={`${scene.root}/members/invite`} look="main" icon="plus">
              Invite member
            </Action>
          )}
        </PageHead>
        {id && <Only scene={scene} name="id" id={id} />}
        {members.data.length > 0 && (
          <Card name="members">
            <Table
              label="Members"
              items={members.data}
              keyOf={({ id }) => id}
              columns={columnsOf(scene, hasActions)}
            />
          </Card>
        )}
        <Pager scene={scene} next={members.next_cursor} newest="First page" older="Next" />
        {shownInvitations.length > 0 && (
          <Card name="invitations" title="Pending invitations">
            <Table
              label="Pending invitations"
              items={shownInvitations}
              keyOf={({ id }) => id}
              columns={invitationColumns(scene)}
            />
          </Card>
        )}
        <CommandLines
          call={callOf(scene, list_members, { params })}
          more={shownInvitations.slice(0, 1).map(({ id }) => [
            'Revoke an invitation',
            callOf(scene, revoke_invitation, {
              params: { ...params, invitation_id: id },
            }),
          ])}
        />
      </ConsolePage>,
    )
  })
}

const noMembers: Answer<'list_members'> = { data: [], next_cursor: null }

type Member = Item<'list_members'>

const columnsOf = (scene: Scene, hasActions: boolean): Column<Member>[] => [
  {
    label: 'Person',
    value: ({ id, email, name }) => (
      <div id={id}>
        <strong class="long">{email}</strong> {id === scene.member.user && <Badge look="quiet">You</Badge>}
        {name && <p class="hint small long">{name}</p>}
      </div>
    ),
  },
  { label: 'Role', value: ({ role }) => roleNames[role] },
  { label: 'Joined', value: ({ created_at }) => <When at={created_at} now={scene.now} /> },
  ...(hasActions ? [actionsOf(scene)] : []),
]

const actionsOf = (scene: Scene): Column<Member> => ({
  label: 'Actions',
  value: ({ id, email, role }) => (
    <span class="actions">
      {mayChange(scene, { role }) && (
        <a href={`${scene.root}/members/${id}/role`} aria-label={`Change role of ${email}`}>
          Change role
        </a>
      )}
      {id === scene.member.user ? (
        <a href={`${scene.root}/members/${id}/remove`}>Leave</a>
      ) : (
        mayChange(scene, { role }) && (
          <a href={`${scene.root}/members/${id}/remove`} aria-label={`Remove ${email}`}>
            Remove
          </a>
        )
      )}
    </span>
  ),
})

export const roleNames = { owner: 'Owner', admin: 'Admin', member: 'Member' } as const

const invitationColumns = (scene: Scene): Column<Item<'list_workspace_invitations'>>[] => [
  {
    label: 'Address',
    value: ({ id, email }) => (
      <strong id={id} class="long">
        {email}
      </strong>
    ),
  },
  { label: 'Role', value: ({ role }) => roleNames[role] },
  { label: 'Invited by', isExtra: true, value: ({ invited_by }) => invited_by ?? '–' },
  { label: 'Expires', value: ({ expires_at }) => <When at={expires_at} now={scene.now} /> },
  {
    label: 'Actions',
    value: ({ id, email }) => (
      <a
        href={`${scene.root}/members/invitations/${id}/revoke`}
        aria-label={`Revoke the invitation for ${email}`}
      >
        Revoke
      </a>
    ),
  },
]
