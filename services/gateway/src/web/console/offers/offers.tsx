import { offers } from '@svc/contract/offers/offers'
import { offerStates } from '@svc/contract/offers/published-offers'
import { CommandLines } from '../forms/command-lines-view.tsx'
import { callOf } from '../forms/call-of.ts'
import { ConsolePage } from '../shell/console-page.tsx'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import type { Item } from '../ui/answers.ts'
import { CustomerText } from '../customers/customer-text.tsx'
import { type Column, Table, Tabs } from '../ui/list.tsx'
import { ListFilters, listQueryOf } from '../ui/list-filters.tsx'
import { newestFirst, TwoEndedPager } from '../ui/two-ended.tsx'
import { Action, Card, Empty, PageHead } from '../../kit/ui/parts.tsx'
import { priceText } from '../../kit/offers/terms-view.tsx'
import { fromNow } from '../../kit/ui/moments.ts'
import { When } from '../../kit/ui/when.tsx'
import { channelText, type Names, readNames } from './names.ts'
import { OfferBadge, offerStateText } from './offer-badge.tsx'

const { list_offers } = offers.operations

export function offerList({ get }: ConsolePages) {
  get('/offers', async scene => {
    const { query, filters } = listQueryOf(scene, list_offers.query)
    const [list, names] = await Promise.all([
      scene.invoke(offers, 'list_offers', { query }),
      readNames(scene),
    ])
    return scene.show(<OffersPage {...{ scene, list, names, query, filters }} />)
  })
  get('/offers.csv', scene =>
    scene.stream(offers, 'list_offers', listQueryOf(scene, list_offers.query).filters),
  )
}

interface OffersPageProps {
  readonly scene: Scene
  readonly list: { readonly data: readonly Item<'list_offers'>[]; readonly next_cursor: string | null }
  readonly names: Names
  readonly query: Readonly<Record<string, string>>
  readonly filters: Readonly<Record<string, string>>
}

function OffersPage({ scene, list, names, query, filters }: OffersPageProps) {
  const isFiltered = Object.keys(filters).length > 0
  return (
    <ConsolePage scene={scene} title="Offers" part="/offers">
      <PageHead title="Offers" text="Share a link with customers so they can order your products.">
        <Action href={`${scene.root}/offers.csv?${new URLSearchParams(filters)}`} icon="download">
          Export CSV
        </Action>
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
      <ListFilters
        scene={scene}
        path="/offers"
        schema={list_offers.query}
        textHint="Product, customer, note"
        selects={[
          ['product_id', 'Product', names.products],
          ['offer_channel_id', 'Terms', names.channels],
        ]}
      />
      <Card name="offers">
        {list.data.length > 0 ? (
          <Table
            label="Offers"
            items={newestFirst(scene, list)}
            keyOf={({ id }) => id}
            columns={columnsOf(scene, names)}
          />
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
      <TwoEndedPager scene={scene} list={list} idOf={({ id }) => id} />
      <CommandLines call={callOf(scene, list_offers, { query })} />
    </ConsolePage>
  )
}

const columnsOf = (scene: Scene, names: Names): Column<Item<'list_offers'>>[] => [
  {
    label: 'Product',
    value: offer => (
      <>
        <a href={`${scene.root}/offers/${offer.id}`}>{offer.name}</a>
        {offer.offer_channel_id && <p class="hint long">{channelText(offer, names)}</p>}
      </>
    ),
  },
  { label: 'Customer', value: ({ customer }) => <CustomerText customer={customer} /> },
  { label: 'Price', value: ({ terms }) => priceText(terms) },
  {
    label: 'State',
    value: ({ state, expires_at }) => (
      <>
        <OfferBadge state={state} />
        {state === 'active' && expires_at !== null && (
          <p class="hint">Ends {fromNow(expires_at - scene.now)}</p>
        )}
      </>
    ),
  },
  {
    label: 'Orders',
    isNumber: true,
    value: ({ seats: { max_uses, redeemed, reserved } }) => (
      <span class="amount">
        {max_uses === null ? redeemed : `${redeemed} of ${max_uses}`}
        {reserved > 0 && <span class="hint">{reserved} in progress</span>}
      </span>
    ),
  },
  { label: 'Created', value: ({ created_at }) => <When at={created_at} now={scene.now} /> },
  { label: 'Link', isExtra: true, value: ({ short_hash }) => <a href={`/i/${short_hash}`}>{short_hash}</a> },
]
