import { offers } from '@svc/contract/offers/offers'
import { offerStates } from '@svc/contract/offers/published-offers'
import { CommandLines } from '../forms/command-lines-view.tsx'
import { callOf } from '../forms/call-of.ts'
import { ConsolePage } from '../shell/console-page.tsx'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import type { Item } from '../ui/answers.ts'
import { type Column, Pager, Table, Tabs, withQuery } from '../ui/list.tsx'
import { Action, Card, Empty, PageHead } from '../../kit/ui/parts.tsx'
import { queryOf } from '../ui/query-of.ts'
import { When } from '../../kit/ui/when.tsx'
import { channelText, type Names, readNames, soldText } from './names.ts'
import { OfferBadge, offerStateText } from './offer-badge.tsx'

export function offerList({ get }: ConsolePages) {
  get('/offers', async scene => {
    const query = queryOf(scene, offers.operations.list_offers.query)
    const [list, names] = await Promise.all([
      scene.invoke(offers, 'list_offers', { query }),
      readNames(scene),
    ])
    return scene.show(<OffersPage scene={scene} list={list} names={names} query={query} />)
  })
}

interface OffersPageProps {
  readonly scene: Scene
  readonly list: { readonly data: readonly Item<'list_offers'>[]; readonly next_cursor: string | null }
  readonly names: Names
  readonly query: Readonly<Record<string, string>>
}

function OffersPage({ scene, list, names, query }: OffersPageProps) {
  const isFiltered = Object.keys(query).length > 0
  return (
    <ConsolePage scene={scene} title="Offers" part="/offers">
      <PageHead title="Offers" text="Share a link with customers so they can order your products.">
        <Action href={`${scene.root}/offers/new`} look="main" icon="plus">
          New offer
        </Action>
      </PageHead>
      <Tabs
        scene={scene}
        label="States"
        name="state"
        choices={[['', 'All'], ...offerStates.map(state => [state, offerStateText(state)] as const)]}
      />
      <Filters scene={scene} names={names} />
      <Card name="offers">
        {list.data.length > 0 ? (
          <Table label="Offers" items={list.data} keyOf={({ id }) => id} columns={columnsOf(scene, names)} />
        ) : (
          <Empty
            icon="tag"
            title={isFiltered ? 'No offers match these filters' : 'No offers yet'}
            action={
              isFiltered
                ? { href: `${scene.root}/offers`, label: 'Clear filters' }
                : { href: `${scene.root}/offers/new`, label: 'Create your first offer' }
            }
          >
            {list.next_cursor ? 'No matches on this page. Try the next page.' : undefined}
          </Empty>
        )}
      </Card>
      <Pager scene={scene} next={list.next_cursor} />
      <CommandLines call={callOf(scene, offers.operations.list_offers, { query })} />
    </ConsolePage>
  )
}

function Filters({ scene, names }: { readonly scene: Scene; readonly names: Names }) {
  const state = scene.query.get('state')
  if (names.products.length + names.channels.length < 2) return null
  const selects = [
    ['product_id', 'Product', names.products],
    ['offer_channel_id', 'Terms', names.channels],
  ] as const
  return (
    <form class="filters" method="get" action={`${scene.root}/offers`}>
      {state && <input type="hidden" name="state" value={state} />}
      {selects.map(([name, label, items]) => (
        <div key={name} class="field">
          <label for={name}>{label}</label>
          <select id={name} name={name}>
            <option value="">All</option>
            {items.map(item => (
              <option key={item.id} value={item.id} selected={item.id === scene.query.get(name)}>
                {item.name}
              </option>
            ))}
          </select>
        </div>
      ))}
      <button type="submit" class="button second">
        Filter
      </button>
      {(scene.query.get('product_id') || scene.query.get('offer_channel_id')) && (
        <a href={withQuery(scene, { product_id: undefined, offer_channel_id: undefined })}>Clear</a>
      )}
    </form>
  )
}

const columnsOf = (scene: Scene, names: Names): Column<Item<'list_offers'>>[] => [
  {
    label: 'Offer',
    value: offer => (
      <>
        <a href={`${scene.root}/offers/${offer.id}`}>{soldText(offer, names)}</a>
        <p class="hint long">
          {[channelText(offer, names), offer.customer?.display_name].filter(Boolean).join(' · ')}
        </p>
      </>
    ),
  },
  { label: 'State', value: ({ state }) => <OfferBadge state={state} /> },
  {
    label: 'Orders completed',
    isNumber: true,
    value: ({ seats: { max_uses, redeemed } }) =>
      max_uses === null ? `${redeemed}` : `${redeemed} of ${max_uses}`,
  },
  {
    label: 'Orders in progress',
    isNumber: true,
    isExtra: true,
    value: ({ seats: { reserved } }) => reserved,
  },
  {
    label: 'Expires',
    isExtra: true,
    value: ({ expires_at }) => <When at={expires_at} now={scene.now} none="Never" />,
  },
  { label: 'Created', value: ({ created_at }) => <When at={created_at} now={scene.now} /> },
  { label: 'Link', isExtra: true, value: ({ short_hash }) => <a href={`/i/${short_hash}`}>{short_hash}</a> },
]
