/** The pictures of the console: from Lucide, as lists of shapes. */
import activity from 'lucide/dist/esm/icons/activity.mjs'
import arrowRight from 'lucide/dist/esm/icons/arrow-right.mjs'
import bell from 'lucide/dist/esm/icons/bell.mjs'
import book from 'lucide/dist/esm/icons/library.mjs'
import boxes from 'lucide/dist/esm/icons/boxes.mjs'
import cart from 'lucide/dist/esm/icons/shopping-cart.mjs'
import check from 'lucide/dist/esm/icons/check.mjs'
import chevron from 'lucide/dist/esm/icons/chevrons-up-down.mjs'
import copy from 'lucide/dist/esm/icons/copy.mjs'
import download from 'lucide/dist/esm/icons/download.mjs'
import external from 'lucide/dist/esm/icons/external-link.mjs'
import house from 'lucide/dist/esm/icons/house.mjs'
import key from 'lucide/dist/esm/icons/key-round.mjs'
import menu from 'lucide/dist/esm/icons/menu.mjs'
import plus from 'lucide/dist/esm/icons/plus.mjs'
import search from 'lucide/dist/esm/icons/search.mjs'
import server from 'lucide/dist/esm/icons/server.mjs'
import settings from 'lucide/dist/esm/icons/settings.mjs'
import tag from 'lucide/dist/esm/icons/tag.mjs'
import terminal from 'lucide/dist/esm/icons/terminal.mjs'
import user from 'lucide/dist/esm/icons/circle-user-round.mjs'
import users from 'lucide/dist/esm/icons/users.mjs'
import warning from 'lucide/dist/esm/icons/triangle-alert.mjs'
import webhook from 'lucide/dist/esm/icons/webhook.mjs'

export type Shape = readonly [tag: string, attributes: Readonly<Record<string, string>>]

export const icons = {
  activity,
  arrowRight,
  bell,
  book,
  boxes,
  cart,
  check,
  chevron,
  copy,
  download,
  external,
  house,
  key,
  menu,
  plus,
  search,
  server,
  settings,
  tag,
  terminal,
  user,
  users,
  warning,
  webhook,
} satisfies Record<string, readonly Shape[]>

export type IconName = keyof typeof icons
