import { installStates } from '@svc/contract/offers/installs'
import { offers } from '@svc/contract/offers/offers'
import { callOf } from '../forms/call-of.ts'
import { CommandLines } from '../forms/command-lines-view.tsx'
import { ConsolePage } from '../shell/console-page.tsx'
import type { ConsolePages } from '../shell/scene.ts'
import { Only, Pager, Tabs, withQuery } from '../ui/list.tsx'
import { Card, Empty, PageHead } from '../../kit/ui/parts.tsx'
import { queryOf } from '../ui/query-of.ts'
import { billingPortalPages } from './billing-portal.tsx'
import { installDetail } from './install.tsx'
import { InstallsTable } from './installs-table.tsx'
import { licencePages } from './licence.ts'
import { readClusters, readOrders } from './names.ts'
import { subscriptionPages } from './subscription.tsx'

export function installPages(pages: ConsolePages) {
  installDetail(pages)
  licencePages(pages)
  subscriptionPages(pages)
  billingPortalPages(pages)

  pages.get('/installs', async scene => {
    const query = { relation: 'owned', ...queryOf(scene, offers.operations.list_installs.query) }
    const { relation, ...others } = query as Record<string, string>
    const isOwned = relation === 'owned'
    const ofOrders = {
      relation: isOwned ? 'placed' : 'received',
      ...(others.offer_id && { offer_id: others.offer_id }),
    }
    const [list, orders, clusters] = await Promise.all([
      scene.invoke(offers, 'list_installs', { query }),
      readOrders(scene, ofOrders),
      isOwned ? readClusters(scene) : [],
    ])
    const { cursor: _, ...filters } = others
    const isFiltered = Object.keys(filters).length > 0
    return scene.show(
      <ConsolePage scene={scene} title="Installs" part="/installs">
        <PageHead title="Installs" />
        <Tabs
          scene={scene}
          label="Sides"
          name="relation"
          choices={[
            ['owned', 'Your installs'],
            ['sold', 'Customer installs'],
          ]}
        />
        <Tabs
          scene={scene}
          label="States"
          name="state"
          choices={[
            ['', 'All'],
            ...installStates.map(one => [one, one === 'started' ? 'Started' : 'Removed'] as const),
          ]}
        />
        {Object.entries(filters)
          .filter(([name]) => name !== 'state')
          .map(([name, id]) => (
            <Only key={name} {...{ scene, name, id }} />
          ))}
        <Card name="installs">
          {list.data.length > 0 ? (
            <InstallsTable scene={scene} installs={list.data} names={{ orders, clusters }} />
          ) : (
            <Empty
              icon="boxes"
              title={isFiltered ? 'No installs match these filters' : 'No installs yet'}
              action={
                isFiltered
                  ? { href: withQuery(scene, unfiltered(filters)), label: 'Clear filters' }
                  : undefined
              }
            >
              {isFiltered ? undefined : 'Installs appear here when an order is completed.'}
            </Empty>
          )}
        </Card>
        <Pager scene={scene} next={list.next_cursor} />
        <CommandLines call={callOf(scene, offers.operations.list_installs, { query })} />
      </ConsolePage>,
    )
  })
}

const unfiltered = (filters: object) =>
  Object.fromEntries(Object.keys(filters).map(name => [name, undefined]))
