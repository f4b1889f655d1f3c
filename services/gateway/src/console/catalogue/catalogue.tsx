/** Products and packages at a glance. One call of the bus. */
import { offers } from '@svc/contract/offers/offers'
import { callOf } from '../forms/call-of.ts'
import { CommandLines } from '../forms/command-lines-view.tsx'
import { ConsolePage } from '../shell/console-page.tsx'
import type { ConsolePages } from '../shell/scene.ts'
import { Pager, Table, Tabs } from '../ui/list.tsx'
import { Action, Card, Empty, PageHead } from '../ui/parts.tsx'
import { queryOf } from '../ui/query-of.ts'
import { When } from '../ui/when.tsx'
import { activatePolicyPages } from './activate-policy.tsx'
import { ChannelBadge } from './channel-badge.tsx'
import { channelPages } from './channel.tsx'
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
    const page = (schema: typeof list_products.query) => queryOf(scene, schema)
    const [products, packages, channels] = await Promise.all([
      kind === 'products'
        ? scene.invoke(offers, 'list_products', { query: page(list_products.query) })
        : undefined,
      kind === 'packages'
        ? scene.invoke(offers, 'list_packages', { query: page(list_packages.query) })
        : undefined,
      kind === 'channels'
        ? scene.invoke(offers, 'list_offer_channels', { query: queryOf(scene, list_offer_channels.query) })
        : undefined,
    ])
    const list = products ?? packages ?? channels
    const isEmpty = list?.data.length === 0
    return scene.show(
      <ConsolePage scene={scene} title="Catalogue" part="/catalogue">
        <PageHead
          title="Catalogue"
          text="A package has versions, a product sells a package, and a channel sells a product on the terms of its policy."
        >
          <Action href={`${root}/catalogue/${kind}/new`} look="main" icon="plus">
            {`New ${kind.slice(0, -1)}`}
          </Action>
        </PageHead>
        <Tabs
          scene={scene}
          label="What is listed"
          name="kind"
          choices={[
            ['products', 'Products'],
            ['packages', 'Packages'],
            ['channels', 'Channels'],
          ]}
        />
        <Card name="list">
          {isEmpty && (
            <Empty
              icon="book"
              title={`No ${kind} yet`}
              action={{ href: `${root}/catalogue/${kind}/new`, label: 'Create the first one' }}
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
                  value: ({ id, name }) => <a href={`${root}/catalogue/products/${id}`}>{name}</a>,
                },
                {
                  label: 'Current version',
                  value: ({ current_package_version_id: id }) =>
                    id ? (
                      <a href={`${root}/catalogue/versions/${id}`}>{id}</a>
                    ) : (
                      'None: offers that name no version are refused'
                    ),
                },
                {
                  label: 'Made',
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
                  value: ({ id, name }) => <a href={`${root}/catalogue/packages/${id}`}>{name}</a>,
                },
                { label: 'Id', isExtra: true, value: ({ id }) => <code>{id}</code> },
                { label: 'Made', value: ({ created_at }) => <When at={created_at} now={now} /> },
              ]}
            />
          )}
          {channels && !isEmpty && (
            <Table
              label="Channels"
              items={channels.data}
              keyOf={({ id }) => id}
              columns={[
                {
                  label: 'Channel',
                  value: ({ id, name }) => <a href={`${root}/catalogue/channels/${id}`}>{name}</a>,
                },
                { label: 'State', value: ({ status }) => <ChannelBadge status={status} /> },
                {
                  label: 'Active policy',
                  isNumber: true,
                  value: ({ active_policy }) => active_policy ?? 'None',
                },
                {
                  label: 'Product',
                  isExtra: true,
                  value: ({ product_id }) => (
                    <a href={`${root}/catalogue/products/${product_id}`}>{product_id}</a>
                  ),
                },
              ]}
            />
          )}
        </Card>
        <Pager scene={scene} next={list?.next_cursor ?? null} />
        <CommandLines call={callOf(scene, operations[kind], { svc: `${kind} list` })} />
      </ConsolePage>,
    )
  })
}

const kinds = ['products', 'packages', 'channels'] as const
const operations = { products: list_products, packages: list_packages, channels: list_offer_channels }
const texts = {
  products: 'A product is what customers read on an offer. It sells a package.',
  packages: 'A package is what is installed. Each of its versions says what the customer fills in.',
  channels: 'A channel sells one product, and its policy decides price, approval and payment.',
} as const
