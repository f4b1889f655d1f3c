/**
 * The examples of all operations, in the order in which they take place: Acme sells Analytics, Globex buys it. What one makes
 * the next ones use, so each can be sent to the product as it stands.
 */
import { catalogue } from './catalogue.ts'
import { clusters } from './clusters.ts'
import { decisions } from './decisions.ts'
import type { Example } from './example.ts'
import { farewell } from './farewell.ts'
import { installs } from './installs.ts'
import { offers } from './offers.ts'
import { orders } from './orders.ts'
import { apiTokens, workspaces } from './workspaces.ts'

export const story: readonly Example[] = [
  ...workspaces,
  ...apiTokens,
  ...catalogue,
  ...offers,
  ...orders,
  ...decisions,
  ...installs,
  ...clusters,
  ...farewell,
]
