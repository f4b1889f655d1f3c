/** Two calls on the bus: the list, and the packages or products that it names; one for packages. */
import { offers } from '@svc/contract/offers/offers'
import { callOf } from '../forms/call-of.ts'
import { CommandLines } from '../forms/command-lines-view.tsx'
import { ConsolePage } from '../shell/console-page.tsx'
import { readList } from '../../kit/visit/read-list.ts'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import { Pager, Table, Tabs } from '../ui/list.tsx'
import { Action, Card, Empty, PageHead } from '../../kit/ui/parts.tsx'
import { queryOf } from '../ui/query-of.ts'
import { When } from '../../kit/ui/when.tsx'
import { activatePolicyPages } from './activate-policy.tsx'
import { ChannelBadge } from './channel-badge.tsx'
import { channelPages } from './channel.tsx'
import { shownName } from './names.ts'
import { newPolicyPages } from './new-policy.tsx'
import { packagePages } from './package.tsx'
import { productPages } from './product.tsx'
import { versionPages } from './version.tsx'

const { list_products, list_packages, list_offer_channels } = offers.operations

export function cataloguePages(pages: ConsolePages) {
  for (const register of [
    packagePages,
    versionPages,
    productPages,
    channelPages,
    newPolicyPages,
    activatePolicyPages,
  ])
    register(pages)

  pages.get('/catalogue', async scene => {
    const { root, now } = scene
    const kind = kinds.find(one => one === scene.query.get('kind')) ?? 'products'
    const query = queryOf(scene, operations[kind].query)
    const [products, packages, channels, named] = await Promise.all([
      kind === 'products' ? scene.invoke(offers, 'list_products', { query }) : undefined,
      kind === 'packages' ? scene.invoke(offers, 'list_packages', { query }) : undefined,
      kind === 'channels' ? scene.invoke(offers, 'list_offer_channels', { query }) : undefined,
      namesFor(kind, scene),
    ])
    const list = products ?? packages ?? channels
    const isEmpty = list?.data.length === 0
    return scene.show(
      <ConsolePage scene={scene} title="Catalogue" part="/catalogue">
        <PageHead
          title="Catalogue"
          text="Packages hold your versions, products are what customers see, and terms say how a product is sold."
        >
          <Action href={`${root}/catalogue/${kind}/new`} look="main" icon="plus">
            {`New ${nouns[kind]}`}
          </Action>
        </PageHead>
        <Tabs
          scene={scene}
          label="What is listed"
          name="kind"
          choices={[
            ['products', 'Products'],
            ['packages', 'Packages'],
            ['channels', 'Terms'],
          ]}
        />
        <Card name="list">
          {isEmpty && (
            <Empty
              icon="book"
              title={`No ${kind === 'channels' ? 'terms' : kind} yet`}
              action={{
                href: `${root}/catalogue/${kind}/new`,
                label: `Create your first ${nouns[kind]}`,
              }}
            >
              {texts[kind]}
            </Empty>
          )}
          {products && !isEmpty && (
            <Table
              label="Products"
              items={products.data}
              keyOf={({ id }) => id}
              columns={[
                {
                  label: 'Product',
                  value: one => <a href={`${root}/catalogue/products/${one.id}`}>{shownName(one)}</a>,
                },
                {
                  label: 'Package',
                  value: ({ package_id: id }) => (
                    <a href={`${root}/catalogue/packages/${id}`}>{named.get(id) ?? id}</a>
                  ),
                },
                {
                  label: 'Current version',
                  isExtra: true,
                  value: ({ current_package_version_id: id }) =>
                    id ? (
                      <a href={`${root}/catalogue/versions/${id}`}>
                        <code class="long">{id}</code>
                      </a>
                    ) : (
                      'Not set'
                    ),
                },
                {
                  label: 'Created',
                  isExtra: true,
                  value: ({ created_at }) => <When at={created_at} now={now} />,
                },
              ]}
            />
          )}
          {packages && !isEmpty && (
            <Table
              label="Packages"
              items={packages.data}
              keyOf={({ id }) => id}
              columns={[
                {
                  label: 'Package',
                  value: one => <a href={`${root}/catalogue/packages/${one.id}`}>{shownName(one)}</a>,
                },
                { label: 'Id', isExtra: true, value: ({ id }) => <code>{id}</code> },
                { label: 'Created', value: ({ created_at }) => <When at={created_at} now={now} /> },
              ]}
            />
          )}
          {channels && !isEmpty && (
            <Table
              label="Terms"
              items={channels.data}
              keyOf={({ id }) => id}
              columns={[
                {
                  label: 'Terms',
                  value: one => <a href={`${root}/catalogue/channels/${one.id}`}>{shownName(one)}</a>,
                },
                { label: 'State', value: ({ status }) => <ChannelBadge status={status} /> },
                {
                  label: 'Active revision',
                  isNumber: true,
                  value: ({ active_policy }) => active_policy ?? '–',
                },
                {
                  label: 'Product',
                  isExtra: true,
                  value: ({ product_id }) => (
                    <a href={`${root}/catalogue/products/${product_id}`}>
                      {named.get(product_id) ?? product_id}
                    </a>
                  ),
                },
              ]}
            />
          )}
        </Card>
        <Pager scene={scene} next={list?.next_cursor ?? null} />
        <CommandLines call={callOf(scene, operations[kind], { query })} />
      </ConsolePage>,
    )
  })
}

async function namesFor(kind: Kind, { invoke }: Scene): Promise<ReadonlyMap<string, string>> {
  if (kind === 'packages') return new Map()
  const list = kind === 'products' ? 'list_packages' : 'list_products'
  const found = await readList<Named>(query => invoke(offers, list, { query }))
  return new Map(found.map(one => [one.id, shownName(one)]))
}

interface Named {
  readonly id: string
  readonly name: string
}

const kinds = ['products', 'packages', 'channels'] as const
type Kind = (typeof kinds)[number]
const nouns = { products: 'product', packages: 'package', channels: 'terms' } as const
const operations = { products: list_products, packages: list_packages, channels: list_offer_channels }
const texts = {
  products: 'Products are what customers see on your offers. Each one sells a package.',
  packages: 'Packages are what customers install. Each version defines the order form.',
  channels:
    'Price, approval and payment of a product’s offers. A new offer saves its own, which you can reuse.',
} as const
