/** Events for all members, the audit log for owners and admins. */
import { activity } from '@svc/contract/activity/activity'
import { callOf } from '../forms/call-of.ts'
import { CommandLines } from '../forms/command-lines-view.tsx'
import { ConsolePage } from '../shell/console-page.tsx'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import type { Item } from '../ui/answers.ts'
import { type Column, Pager, Table } from '../ui/list.tsx'
import { Action, Card, Empty, PageHead } from '../../kit/ui/parts.tsx'
import { When } from '../../kit/ui/when.tsx'
import { eventPage } from './event.tsx'
import { Subject } from './event-feed.tsx'
import { type Names, readNames } from './event-names.ts'
import { sentenceOf } from './event-text.ts'
import { Filters, filtersOf, readMembers } from './filters.tsx'

const { list_events, list_audit_log } = activity.operations

export function activityPages(pages: ConsolePages) {
  exportPage(pages)
  eventPage(pages)

  pages.get('/activity', async scene => {
    const query = filtersOf(scene, list_events.query)
    const [list, members] = await Promise.all([
      scene.invoke(activity, 'list_events', { query }),
      readMembers(scene),
    ])
    const names = await readNames(scene, list.data)
    return scene.show(
      <ConsolePage scene={scene} title="Activity" part="/activity">
        <PageHead title="Activity" text="Everything that happened in this workspace, newest first.">
          {scene.may(list_audit_log) && <Action href={`${scene.root}/activity/audit-log`}>Audit log</Action>}
        </PageHead>
        <Filters scene={scene} query={query} path="/activity" members={members} />
        <Card name="events">
          {list.data.length > 0 ? (
            <Table
              label="Events"
              items={list.data}
              keyOf={({ id }) => id}
              columns={columnsOf(scene, names)}
            />
          ) : (
            <NoEvents scene={scene} query={query} path="/activity" hasMore={list.next_cursor !== null} />
          )}
        </Card>
        <Pager scene={scene} next={list.next_cursor} />
        <CommandLines call={callOf(scene, list_events, { query })} />
      </ConsolePage>,
    )
  })

  pages.get('/activity/audit-log', async scene => {
    const query = filtersOf(scene, list_audit_log.query)
    const [list, members] = await Promise.all([
      scene.invoke(activity, 'list_audit_log', { query }),
      readMembers(scene),
    ])
    const names = await readNames(scene, list.data)
    const { cursor: _, limit: __, ...filters } = query
    const exportPath = `${scene.root}/activity/audit-log.ndjson?${new URLSearchParams(filters)}`
    return scene.show(
      <ConsolePage
        scene={scene}
        title="Audit log"
        part="/activity"
        crumbs={[{ label: 'Activity', path: '/activity' }]}
      >
        <PageHead
          title="Audit log"
          text="Activity with IP addresses and credentials, plus member sign-ins. Exports contain up to 10,000 matching events, oldest first; a file that was cut is named audit-log-first-10000. Use svc audit for more."
        >
          <Action href={exportPath} icon="download">
            Export
          </Action>
        </PageHead>
        <Filters scene={scene} query={query} path="/activity/audit-log" members={members} isAudit />
        <Card name="events">
          {list.data.length > 0 ? (
            <Table
              label="Audit log"
              items={list.data}
              keyOf={({ id }) => id}
              columns={[
                ...columnsOf(scene, names),
                { label: 'IP address', value: ({ address }) => address ?? '–' },
                {
                  label: 'Credential',
                  isExtra: true,
                  value: ({ actor }) => <code>{actor?.credential_id ?? '–'}</code>,
                },
              ]}
            />
          ) : (
            <NoEvents
              scene={scene}
              query={query}
              path="/activity/audit-log"
              hasMore={list.next_cursor !== null}
            />
          )}
        </Card>
        <Pager scene={scene} next={list.next_cursor} />
        <CommandLines call={callOf(scene, list_audit_log, { query })} />
      </ConsolePage>,
    )
  })
}

const columnsOf = (scene: Scene, names: Names): Column<Item<'list_events'>>[] => [
  {
    label: 'Event',
    value: event => (
      <a class="long" href={`${scene.root}/activity/${event.id}`}>
        {sentenceOf(event, scene, names)}
      </a>
    ),
  },
  {
    label: 'Resource',
    value: ({ aggregate_id }) => <Subject scene={scene} id={aggregate_id} names={names} />,
  },
  { label: 'When', value: ({ created_at }) => <When at={created_at} now={scene.now} /> },
]

interface NoEventsProps {
  readonly scene: Scene
  readonly query: Readonly<Record<string, string>>
  readonly path: string
  readonly hasMore: boolean
}

const NoEvents = ({ scene, query, path, hasMore }: NoEventsProps) =>
  hasMore ? (
    <Empty icon="activity" title="No matches on this page. Try the next page." />
  ) : Object.keys(query).length > 0 ? (
    <Empty
      icon="activity"
      title="No events match these filters"
      action={{ href: scene.root + path, label: 'Clear filters' }}
    />
  ) : (
    <Empty icon="activity" title="No activity yet">
      Actions by your team and your customers appear here.
    </Empty>
  )

/** In pages of up to a hundred events. `svc audit` exports more, and can resume. */
const maxPages = 100

function exportPage({ get }: ConsolePages) {
  get('/activity/audit-log.ndjson', async scene => {
    const query: Record<string, string> = {
      ...filtersOf(scene, list_audit_log.query),
      ...{ order: 'asc', limit: '100' },
    }
    const lines: string[] = []
    for (let page = 0; page < maxPages; page++) {
      const { data, next_cursor } = await scene.invoke(activity, 'list_audit_log', { query })
      for (const event of data) lines.push(JSON.stringify(event))
      // In this order there always is a cursor, for events still to come.
      if (data.length < 100 || !next_cursor) break
      query.cursor = next_cursor
    }
    const isCut = lines.length === maxPages * 100 && (await hasMore(scene, query))
    return (
      scene.reply
        .type('application/x-ndjson; charset=utf-8')
        // The file's name shows that there are more.
        .header(
          'content-disposition',
          `attachment; filename="audit-log${isCut ? '-first-10000' : ''}.ndjson"`,
        )
        .send(lines.map(line => `${line}\n`).join(''))
    )
  })
}

async function hasMore(scene: Scene, query: Record<string, string>): Promise<boolean> {
  const { data } = await scene.invoke(activity, 'list_audit_log', { query: { ...query, limit: '1' } })
  return data.length > 0
}
