import type { PartPath } from '../shell/navigation.ts'
import { ConsolePage } from '../shell/console-page.tsx'
import type { Scene } from '../shell/scene.ts'
import { EventFeed } from '../activity/event-feed.tsx'
import { Icon } from '../../kit/ui/icon.tsx'
import { Action, Card, Empty, PageHead } from '../../kit/ui/parts.tsx'
import { When } from '../../kit/ui/when.tsx'
import type { Waiting } from './attention.ts'
import { DaysChart } from './days-chart.tsx'
import type { Home } from './read-home.ts'

const part: PartPath = ''

export const HomePage = ({ scene, home }: { readonly scene: Scene; readonly home: Home }) => (
  <ConsolePage scene={scene} title="Home" part={part}>
    <PageHead title={scene.workspace.name} id={scene.workspace.id}>
      <Action href={`${scene.root}/offers/new`} look="main" icon="plus">
        New offer
      </Action>
    </PageHead>
    {home.hasOffers === false && (
      <Card
        name="begin"
        title="Publish your first offer"
        text="One form, and you get a link for your first customer."
      >
        <p class="actions">
          <Action href={`${scene.root}/start`} look="main">
            Get started
          </Action>
        </p>
      </Card>
    )}
    <div class="side-by-side">
      <div>
        <Card name="waiting" title="Needs your attention">
          {home.attention.length > 0 && (
            <ul class="waiting">
              {home.attention.map(one => (
                <WaitingRow key={one.key} scene={scene} one={one} />
              ))}
            </ul>
          )}
          {home.isPartial && (
            <p class="warning">Part of this can’t be loaded right now. Try again in a few seconds.</p>
          )}
          {home.attention.length === 0 && !home.isPartial && (
            <Empty icon="check" title="You’re all caught up">
              Orders to approve, payments to confirm or overdue, expiring tokens, failing webhooks and
              clusters that stop reporting show up here.
            </Empty>
          )}
        </Card>
        <Card name="days" title="Last 30 days">
          {home.days ? <DaysChart days={home.days} /> : <Unanswered />}
        </Card>
      </div>
      <div>
        <Card name="events" title="Recent activity" actions={<a href={`${scene.root}/activity`}>View all</a>}>
          {home.events ? <EventFeed scene={scene} events={home.events} /> : <Unanswered />}
        </Card>
      </div>
    </div>
  </ConsolePage>
)

const Unanswered = () => <p class="hint">We can’t load this right now. Try again in a few seconds.</p>

function WaitingRow({ scene, one }: { readonly scene: Scene; readonly one: Waiting }) {
  const { icon, text, detail, path, at } = one
  return (
    <li>
      <Icon name={icon} />
      <div>
        <a href={path.startsWith('~') ? path.slice(1) : scene.root + path}>{text}</a>
        <p class="hint long">{detail}</p>
      </div>
      <div>
        <When at={at} now={scene.now} none="" />
      </div>
    </li>
  )
}
