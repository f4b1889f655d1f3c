/**
 * The examples of all operations, in the order in which they take place: Acme sells Analytics, Globex buys it. What one makes
 * the next ones use, so each can be sent to the product as it stands.
 */
import { activityExamples } from '../activity/activity-examples.ts'
import { catalogue } from '../offers/catalogue-examples.ts'
import { clusters } from '../compute/clusters-examples.ts'
import { decisions } from '../offers/orders-decided-examples.ts'
import type { Example } from './example.ts'
import { deletionsAndSessions } from './deletions-and-sessions.ts'
import { installs } from '../offers/installs-examples.ts'
import { offers } from '../offers/offers-examples.ts'
import { orders } from '../offers/orders-examples.ts'
import { apiTokens, workspaces } from '../auth-tokens/workspaces-examples.ts'

export const allExamples: readonly Example[] = [
  ...workspaces,
  ...apiTokens,
  ...catalogue,
  ...offers,
  ...orders,
  ...decisions,
  ...installs,
  ...clusters,
  ...activityExamples,
  ...deletionsAndSessions,
]
