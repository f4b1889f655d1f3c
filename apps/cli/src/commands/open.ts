/** `svc open`: the page of an offer or an order. */
import { type Command, InvalidArgumentError } from 'commander'
import type { Cli } from '../cli.ts'
import type { Connection } from '../connect.ts'
import { openBrowser } from '../open-browser.ts'
import { offerPage, orderPage, publicUrlOf } from '../page-address.ts'
import { isShortHash, parseId } from '../parse-values.ts'
import { withExamples } from '../with-examples.ts'

export function openCommand(program: Command, cli: Cli): void {
  withExamples(
    program.command('open').description('Open the page of an offer or an order in a browser.'),
    'open offer_01h455vb4pex5vsknk084sn02q',
    'open order_01h455vb4pex5vsknk084sn02q --no-browser',
  )
    .argument('<id>', 'offer_…, order_…, or an offer’s short_hash', parsePageOf)
    .option('--no-browser', 'only print the address')
    .action((id, options) => open(cli, id, options))
}

async function open(cli: Cli, id: string, { browser }: { browser: boolean }): Promise<void> {
  const { client, baseUrl } = await cli.connect()
  const [addressIn, root] = await Promise.all([findPage(cli, client, id), publicUrlOf(cli, baseUrl)])
  const url = addressIn(root)
  cli.print({ url }, () => `${url}\n`)
  // A script wants the address; only someone who looks wants the page.
  if (!browser || !cli.stdout.isTTY) return
  if (!(await openBrowser(url, cli.env))) cli.note('Could not open a browser. Open the address yourself.')
}

/** Asks the API first, so that a mistyped id is an error here and not a page that says so. */
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
