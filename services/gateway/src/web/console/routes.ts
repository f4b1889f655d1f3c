import type { FastifyInstance } from 'fastify'
import { activityPages } from './activity/activity.tsx'
import { cataloguePages } from './catalogue/catalogue.tsx'
import { clusterPages } from './clusters/clusters.tsx'
import { componentPages } from './components/components.tsx'
import { customerPages } from './customers/customers.tsx'
import { homePages } from './home/home.tsx'
import { installPages } from './installs/installs.tsx'
import { memberPages } from './members/members.tsx'
import { offerPages } from './offers/routes.ts'
import { orderPages } from './orders/orders.tsx'
import { settingsPages } from './settings/settings.tsx'
import { consolePages } from './shell/console-routes.tsx'
import type { ConsoleDeps } from './shell/scene.ts'
import { searchPages } from './shell/search.ts'
import { firstOfferPages } from './start/first-offer.tsx'
import { startPages } from './start/start.tsx'
import { tokenPages } from './tokens/tokens.tsx'
import { webhookPages } from './webhooks/webhooks.tsx'

const parts = [
  ...[homePages, searchPages, firstOfferPages, offerPages, orderPages, customerPages, installPages],
  ...[
    cataloguePages,
    clusterPages,
    tokenPages,
    webhookPages,
    activityPages,
    memberPages,
    settingsPages,
    componentPages,
  ],
]

export function consoleRoutes(app: FastifyInstance, deps: ConsoleDeps) {
  startPages(app, deps)
  const pages = consolePages(app, deps)
  for (const register of parts) register(pages)
  pages.leadBack()
}
