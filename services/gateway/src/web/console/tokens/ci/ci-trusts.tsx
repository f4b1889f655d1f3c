import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { readList } from '../../../kit/visit/read-list.ts'
import { Action, Card, Empty, PageHead } from '../../../kit/ui/parts.tsx'
import { When } from '../../../kit/ui/when.tsx'
import { callOf } from '../../forms/call-of.ts'
import { CommandLines } from '../../forms/command-lines-view.tsx'
import { ConsolePage } from '../../shell/console-page.tsx'
import type { ConsolePages, Scene } from '../../shell/scene.ts'
import type { Answer, Item } from '../../ui/answers.ts'
import { type Column, Table } from '../../ui/list.tsx'
import { attemptsColumns } from './attempts.tsx'
import { ClaimList } from './claim-list.tsx'
import { deleteTrustPages } from './delete-trust.tsx'
import { newTrustPages } from './new-trust.tsx'

const { list_ci_trusts, create_ci_trust } = authTokens.operations

export function ciTrustPages(pages: ConsolePages) {
  newTrustPages(pages)
  deleteTrustPages(pages)

  pages.get('/tokens/ci', async scene => {
    const [trusts, { data: attempts, issuers }] = await Promise.all([
      readList(query => scene.invoke(authTokens, 'list_ci_trusts', { query })),
      scene.invoke(authTokens, 'list_ci_attempts', {}),
    ])
    const mayCreate = scene.may(create_ci_trust)
    return scene.show(
      <ConsolePage
        scene={scene}
        title="CI trusts"
        part="/tokens"
        crumbs={[{ label: 'API tokens', path: '/tokens' }]}
      >
        <PageHead
          title="CI trusts"
          text="Runs of your CI jobs get a token for minutes. No secret is stored in CI, so none can leak from there."
        >
          <Action href={`${scene.root}/tokens?kind=ci`}>Tokens of runs</Action>
          {mayCreate && (
            <Action href={`${scene.root}/tokens/ci/new`} look="main" icon="plus">
              New trust
            </Action>
          )}
        </PageHead>
        <Card name="trusts">
          {trusts.length > 0 ? (
            <Table
              label="CI trusts"
              items={trusts}
              keyOf={({ id }) => id}
              columns={columnsOf(scene, issuers, mayCreate)}
            />
          ) : (
            <Empty icon="key" title="No trusts yet">
              Run a job as the <a href="/docs/ci">guide</a> says. It’s refused, and appears here for you to
              trust.
            </Empty>
          )}
        </Card>
        {attempts.length > 0 && (
          <Card
            name="attempts"
            title="Refused runs"
            text="Runs of the last 7 days that match no trust. Anyone can start one in a repository of their own: trust only those you know."
          >
            <Table
              label="Refused runs"
              items={attempts}
              keyOf={({ id }) => id}
              columns={attemptsColumns(scene, trusts, mayCreate)}
            />
          </Card>
        )}
        <CommandLines call={callOf(scene, list_ci_trusts, {})} />
      </ConsolePage>,
    )
  })
}

const columnsOf = (
  scene: Scene,
  issuers: Answer<'list_ci_attempts'>['issuers'],
  mayDelete: boolean,
): Column<Item<'list_ci_trusts'>>[] => [
  {
    label: 'Trust',
    value: ({ id, name, issuer }) => (
      <div id={id}>
        <strong class="long">{name}</strong>
        <p class="hint">{issuers.find(one => one.issuer === issuer)?.name ?? issuer}</p>
      </div>
    ),
  },
  { label: 'Claims', value: ({ claims }) => <ClaimList claims={claims} /> },
  {
    label: 'Tokens',
    value: ({ permissions, minutes }) => (
      <>
        {minutes} minutes
        <p class="hint">{permissions.join(', ')}</p>
      </>
    ),
  },
  {
    label: 'Last used',
    value: ({ last_used_at }) => <When at={last_used_at} now={scene.now} none="Never" />,
  },
  ...(mayDelete
    ? [
        {
          label: 'Actions',
          value: ({ id, name }: Item<'list_ci_trusts'>) => (
            <a href={`${scene.root}/tokens/ci/${id}/delete`} aria-label={`Delete ${name}`}>
              Delete
            </a>
          ),
        },
      ]
    : []),
]
