/** One's own sessions. One call of the bus. */
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import { pathId } from '@svc/contract/core/text'
import { browserName } from '@svc/runtime/browser-name'
import { callOf } from '../forms/call-of.ts'
import { CommandLines } from '../forms/command-lines-view.tsx'
import { ConfirmPage } from '../forms/confirm-page.tsx'
import { Form } from '../../pages/shared/form.tsx'
import { field } from '../../pages/shared/form-fields.ts'
import { goTo } from '../../pages/shared/layout.tsx'
import { ConsolePage } from '../shell/console-page.tsx'
import { readPage } from '../shell/read-list.ts'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import type { Item } from '../ui/answers.ts'
import { type Column, Only, Pager, Table } from '../ui/list.tsx'
import { Action, Badge, Card, PageHead } from '../ui/parts.tsx'
import { queryOf } from '../ui/query-of.ts'
import { When } from '../../pages/shared/when.tsx'

const { list_sessions, end_session, end_other_sessions } = authTokens.operations

export function sessionPages({ get, post }: ConsolePages) {
  get('/sessions', async scene => {
    const query = queryOf(scene, list_sessions.query)
    const { data, next_cursor } = await readPage(
      scene,
      query => scene.invoke(authTokens, 'list_sessions', { query }),
      query,
    )
    const id = scene.query.get('id')
    return scene.show(
      <ConsolePage scene={scene} title="Your sessions">
        <PageHead
          title="Your sessions"
          text="Browsers and apps where you’re signed in, across all workspaces."
        >
          {(data.length > 1 || next_cursor || id) && (
            <Action href={`${scene.root}/sessions/end-others`} look="danger">
              Sign out all other sessions
            </Action>
          )}
        </PageHead>
        {id && <Only scene={scene} name="id" id={id} />}
        <Card name="sessions">
          <Table label="Sessions" items={data} keyOf={({ id }) => id} columns={columnsOf(scene)} />
        </Card>
        <Pager scene={scene} next={next_cursor} />
        <CommandLines
          call={callOf(scene, end_other_sessions, { svc: 'sessions end-others' })}
          more={data
            .filter(({ current }) => !current)
            .slice(0, 1)
            .map(({ id }) => [
              'End a session',
              callOf(scene, end_session, { params: { id }, svc: 'sessions end', args: [id] }),
            ])}
        />
      </ConsolePage>,
    )
  })

  post('/sessions/end', async scene => {
    const id = field(scene.request, 'id')
    if (!pathId.safeParse(id).success) throw refusal('not_found')
    await scene.invoke(authTokens, 'end_session', { params: { id } })
    return id === scene.person.caller.id ? goTo(scene.reply, '/sign-in') : scene.go('/sessions', 'ended')
  })

  get('/sessions/end-others', async scene =>
    scene.show(
      <ConfirmPage
        scene={scene}
        crumbs={[{ label: 'Your sessions', path: '/sessions' }]}
        question="Sign out all other sessions?"
        consequence={
          <p>Every other browser and program is signed out immediately. API tokens keep working.</p>
        }
        button="Sign out all other sessions"
        action="/sessions/end-others"
        back="/sessions"
        call={callOf(scene, end_other_sessions, { svc: 'sessions end-others' })}
      />,
    ),
  )

  post('/sessions/end-others', async scene => {
    await scene.invoke(authTokens, 'end_other_sessions', {})
    return scene.go('/sessions', 'ended')
  })
}

type Session = Item<'list_sessions'>

const nameOf = ({ client, user_agent }: Session): string =>
  client?.name ?? browserName(user_agent ?? '') ?? 'Unknown browser'

const columnsOf = (scene: Scene): Column<Session>[] => [
  {
    label: 'Device',
    value: session => (
      <div id={session.id}>
        <strong class="long">{nameOf(session)}</strong>{' '}
        {session.current && <Badge look="good">Current</Badge>}
      </div>
    ),
  },
  { label: 'IP address', value: ({ address }) => address ?? 'Unknown' },
  {
    label: 'Last used',
    value: ({ last_used_at, current }) =>
      current ? 'Now' : <When at={last_used_at} now={scene.now} none="Never" />,
  },
  { label: 'Started', isExtra: true, value: ({ created_at }) => <When at={created_at} now={scene.now} /> },
  { label: 'Expires', isExtra: true, value: ({ expires_at }) => <When at={expires_at} now={scene.now} /> },
  {
    label: 'Actions',
    value: session => (
      <Form action={`${scene.root}/sessions/end`} csrf={scene.visit.csrf} hidden={{ id: session.id }}>
        <button type="submit" class="quiet" aria-label={`Sign out: ${nameOf(session)}`}>
          Sign out
        </button>
      </Form>
    ),
  },
]
