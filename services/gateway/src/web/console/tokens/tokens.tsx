import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { callOf } from '../forms/call-of.ts'
import { CommandLines } from '../forms/command-lines-view.tsx'
import { ConsolePage } from '../shell/console-page.tsx'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import type { Item } from '../ui/answers.ts'
import { type Column, Pager, Table } from '../ui/list.tsx'
import { Action, Card, Empty, PageHead } from '../../kit/ui/parts.tsx'
import { queryOf } from '../ui/query-of.ts'
import { When } from '../../kit/ui/when.tsx'
import { editTokenPages } from './edit-token.tsx'
import { endPreviousPages } from './end-previous.tsx'
import { ciTrustPages } from './ci/ci-trusts.tsx'
import { newTokenPages } from './new-token.tsx'
import { revokeTokenPages } from './revoke-token.tsx'
import { rotateTokenPages } from './rotate-token.tsx'
import { Creator, LastUse, OldSecret } from './token-facts.tsx'
import { tokenPage } from './token.tsx'

const { list_api_tokens, create_api_token, list_ci_trusts } = authTokens.operations

export function tokenPages(pages: ConsolePages) {
  newTokenPages(pages)
  rotateTokenPages(pages)
  endPreviousPages(pages)
  revokeTokenPages(pages)
  editTokenPages(pages)
  tokenPage(pages)
  ciTrustPages(pages)

  pages.get('/tokens', async scene => {
    const query = queryOf(scene, list_api_tokens.query)
    const { data, next_cursor } = await scene.invoke(authTokens, 'list_api_tokens', { query })
    const mayCreate = scene.may(create_api_token)
    return scene.show(
      <ConsolePage scene={scene} title="API tokens" part="/tokens">
        <PageHead
          title="API tokens"
          text="For CI and scripts. A token works only in this workspace, as a member or with fewer permissions."
        >
          {scene.may(list_ci_trusts) && <Action href={`${scene.root}/tokens/ci`}>CI trusts</Action>}
          {mayCreate && (
            <Action href={`${scene.root}/tokens/new`} look="main" icon="plus">
              New token
            </Action>
          )}
        </PageHead>
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
              title={query.kind ? 'No run of CI has a token' : 'No tokens yet'}
              action={
                mayCreate && !query.kind
                  ? { href: `${scene.root}/tokens/new`, label: 'Create your first token' }
                  : undefined
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
    value: token => (
      <>
        <a class="long" href={`${scene.root}/tokens/${token.id}`}>
          {token.name}
        </a>
        <p class="hint">
          <code>…{token.hint}</code>
        </p>
        <OldSecret scene={scene} token={token} />
      </>
    ),
  },
  ...(mayChange
    ? [
        {
          label: 'Permissions',
          value: ({ permissions, allowed_addresses }: Token) => (
            <>
              {permissions ? permissions.length : 'As a member'}
              {allowed_addresses && <p class="hint">from {countOf(allowed_addresses.length, 'network')}</p>}
            </>
          ),
        },
      ]
    : []),
  { label: 'Last used', value: token => <LastUse scene={scene} token={token} /> },
  { label: 'Expires', value: ({ expires_at }) => <When at={expires_at} now={scene.now} none="Never" /> },
  { label: 'Created by', isExtra: true, value: token => <Creator token={token} /> },
  { label: 'Created', isExtra: true, value: ({ created_at }) => <When at={created_at} now={scene.now} /> },
]

const countOf = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
