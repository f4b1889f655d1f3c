import { type Command, InvalidArgumentError } from 'commander'
import type { Cli } from '../cli.ts'
import type { Connection } from '../connect.ts'
import { findWorkspace } from '../find-workspace.ts'
import { everyItem } from '../list.ts'
import { openBrowser } from '../open-browser.ts'
import { consolePage, offerPage, orderPage, publicUrlOf } from '../page-address.ts'
import { isShortHash, parseId } from '../parse-values.ts'
import { withExamples } from '../with-examples.ts'

export function openCommand(program: Command, cli: Cli): void {
  withExamples(
    program
      .command('open')
      .description('Open the console of the workspace in a browser, or the page of an offer or an order.'),
    'open --no-browser',
    'open offer_01h455vb4pex5vsknk084sn02q',
    'open order_01h455vb4pex5vsknk084sn02q --no-browser',
  )
    .argument('[id]', 'offer_…, order_…, or an offer’s short_hash; without it, the console', parsePageOf)
    .option('--no-browser', 'only print the address')
    .action((id, options) => open(cli, id, options))
}

async function open(cli: Cli, id: string | undefined, { browser }: { browser: boolean }): Promise<void> {
  const connection = await cli.connect()
  const [addressIn, root] = await Promise.all([
    id === undefined ? findConsole(cli, connection) : findPage(cli, connection.client, id),
    publicUrlOf(cli, connection.baseUrl),
  ])
  const url = addressIn(root)
  cli.print({ url }, () => `${url}\n`)
  // A script wants the URL; only a person wants the page.
  if (!browser || !cli.stdout.isTTY) return
  if (!(await openBrowser(url, cli.env))) cli.note('Could not open a browser. Open the address yourself.')
}

/** Without a workspace the console shows its last one. */
async function findConsole(cli: Cli, { unscoped, workspace: wanted }: Connection) {
  const all = await everyItem(cli, unscoped['auth-tokens'].list_workspaces)
  const [only, ...more] = all
  const workspace = wanted ? findWorkspace(all, wanted) : more.length > 0 ? undefined : only
  return (root: string) => consolePage(root, workspace?.id)
}

/** Asks the API first, so that a mistyped id is an error here and not a page. */
async function findPage(cli: Cli, { offers }: Connection['client'], id: string) {
  if (id.startsWith('order_')) {
    const { body } = await cli.call('reading', options => offers.get_order({ params: { id } }, options))
    return (root: string) => orderPage(root, body.id)
  }
  if (id.startsWith('offer_')) {
    const { body } = await cli.call('reading', options => offers.get_offer({ params: { id } }, options))
    return (root: string) => offerPage(root, body.short_hash)
  }
  const request = { params: { short_hash: id } }
  await cli.call('reading', options => offers.resolve_offer(request, options))
  return (root: string) => offerPage(root, id)
}

function parsePageOf(text: string): string {
  if (/^(offer|order)_./.test(text)) return parseId(text)
  if (isShortHash(text)) return text
  throw new InvalidArgumentError(
    'Give the id of an offer (offer_…) or of an order (order_…), or the short_hash of an offer (12 characters).',
  )
}
