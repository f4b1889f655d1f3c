import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { callOf } from '../forms/call-of.ts'
import { CommandLines } from '../forms/command-lines-view.tsx'
import { ConsolePage } from '../shell/console-page.tsx'
import { readPage } from '../../kit/visit/read-list.ts'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import type { Item } from '../ui/answers.ts'
import { type Column, Only, Pager, Table } from '../ui/list.tsx'
import { Action, Badge, Card, Empty, PageHead } from '../../kit/ui/parts.tsx'
import { queryOf } from '../ui/query-of.ts'
import { When } from '../../kit/ui/when.tsx'
import { endPreviousPages } from './end-previous.tsx'
import { newTokenPages } from './new-token.tsx'
import { revokeTokenPages } from './revoke-token.tsx'
import { rotateTokenPages } from './rotate-token.tsx'

const { list_api_tokens, create_api_token } = authTokens.operations

export function tokenPages(pages: ConsolePages) {
  newTokenPages(pages)
  rotateTokenPages(pages)
  endPreviousPages(pages)
  revokeTokenPages(pages)

  pages.get('/tokens', async scene => {
    const query = queryOf(scene, list_api_tokens.query)
    const { data, next_cursor } = await readPage(
      scene,
      query => scene.invoke(authTokens, 'list_api_tokens', { query }),
      query,
    )
    const id = scene.query.get('id')
    const mayCreate = scene.may(create_api_token)
    return scene.show(
      <ConsolePage scene={scene} title="API tokens" part="/tokens">
        <PageHead
          title="API tokens"
          text="For CI and scripts. A token works only in this workspace and has the Member role, so it can’t create tokens or manage members."
        >
          {mayCreate && (
            <Action href={`${scene.root}/tokens/new`} look="main" icon="plus">
              New token
            </Action>
          )}
        </PageHead>
        {id && <Only scene={scene} name="id" id={id} />}
        <Card name="tokens">
          {data.length > 0 ? (
            <Table
              label="API tokens"
              items={data}
              keyOf={({ id }) => id}
              columns={columnsOf(scene, mayCreate)}
            />
          ) : (
            <Empty
              icon="key"
              title="No tokens yet"
              action={
                mayCreate ? { href: `${scene.root}/tokens/new`, label: 'Create your first token' } : undefined
              }
            >
              {mayCreate ? undefined : 'Only owners and admins can create tokens.'}
            </Empty>
          )}
        </Card>
        <Pager scene={scene} next={next_cursor} />
        <CommandLines call={callOf(scene, list_api_tokens, { query })} />
      </ConsolePage>,
    )
  })
}

type Token = Item<'list_api_tokens'>

const columnsOf = (scene: Scene, mayChange: boolean): Column<Token>[] => [
  {
    label: 'Token',
    value: ({ id, name, hint, previous_expires_at }) => (
      <div id={id}>
        <strong class="long">{name}</strong>
        <p class="hint">
          <code>…{hint}</code>
        </p>
        {previous_expires_at !== null && (
          <p class="hint">
            The old secret works until <When at={previous_expires_at} now={scene.now} />.{' '}
            {mayChange && <a href={`${scene.root}/tokens/${id}/end-previous`}>End now</a>}
          </p>
        )}
      </div>
    ),
  },
  {
    label: 'Last used',
    value: ({ last_used_at, stale }) => (
      <>
        <When at={last_used_at} now={scene.now} none="Never" />{' '}
        {stale && <Badge look="waits">Unused for a year</Badge>}
      </>
    ),
  },
  { label: 'Expires', value: ({ expires_at }) => <When at={expires_at} now={scene.now} none="Never" /> },
  {
    label: 'Created by',
    isExtra: true,
    value: ({ creator_email, creator_is_member, created_by }) =>
      creator_email === undefined ? (
        <code>{created_by ?? 'System'}</code>
      ) : (
        <>
          {creator_email ?? 'System'}{' '}
          {creator_is_member === false && <Badge look="waits">No longer a member</Badge>}
        </>
      ),
  },
  { label: 'Created', isExtra: true, value: ({ created_at }) => <When at={created_at} now={scene.now} /> },
  ...(mayChange
    ? [
        {
          label: 'Actions',
          value: ({ id, name }: Token) => (
            <span class="actions">
              <a href={`${scene.root}/tokens/${id}/rotate`} aria-label={`Rotate ${name}`}>
                Rotate
              </a>
              <a href={`${scene.root}/tokens/${id}/revoke`} aria-label={`Revoke ${name}`}>
                Revoke
              </a>
            </span>
          ),
        },
      ]
    : []),
]
