import { whoamiCommand } from './commands/account.ts'
import { countEventsCommand } from './commands/activity/count-events.ts'
import { auditCommand } from './commands/activity/events.ts'
import { confirmCommand } from './commands/confirm-session.ts'
import { setSettingsCommand } from './commands/clusters/set-settings.ts'
import { limitsCommand } from './commands/limits.ts'
import { searchCommand } from './commands/search.ts'
import { createOfferCommand, previewOfferCommand } from './commands/offers/create-offer.ts'
import { getOfferCommand, listOffersCommand, revokeOfferCommand } from './commands/offers/offers.ts'
import { resolveOfferCommand } from './commands/offers/resolve-offer.ts'
import { checkoutCommand } from './commands/orders/checkout.ts'
import { submitOrderCommand } from './commands/orders/submit-order.ts'
import { acceptInvitationCommand } from './commands/people/accept-invitation.ts'
import { createWorkspaceCommand } from './commands/people/create-workspace.ts'
import { endOtherSessionsCommand } from './commands/people/end-other-sessions.ts'
import { mailCommands } from './commands/people/mail.ts'
import { workspaceCommands } from './commands/people/workspace.ts'
import type { OwnCommands } from './derived/operation-command.ts'

export const ownCommands: OwnCommands = {
  'offers create': createOfferCommand,
  'offers preview': previewOfferCommand,
  'offers list': listOffersCommand,
  'offers get': getOfferCommand,
  'offers revoke': revokeOfferCommand,
  'offers resolve': resolveOfferCommand,
  'orders submit': submitOrderCommand,
  'orders checkout': checkoutCommand,
  whoami: whoamiCommand,
  confirm: confirmCommand,
  'workspace create': createWorkspaceCommand,
  'workspace list': workspaceCommands,
  'invitations accept': acceptInvitationCommand,
  'sessions end-others': endOtherSessionsCommand,
  'mail list': mailCommands,
  limits: limitsCommand,
  search: searchCommand,
  'clusters settings set': setSettingsCommand,
  'events count': countEventsCommand,
  audit: auditCommand,
}
