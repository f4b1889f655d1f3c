import type { Client } from '@svc/client'
import { services } from '@svc/contract/services'
import { type Command, Option } from 'commander'
import type { Cli } from '../../cli.ts'
import { showAnswer } from '../../derived/show-output.ts'
import { UsageError } from '../../failure.ts'
import { type KeyOptions, keyHeaders, reportReplay, withKey } from '../../idempotency-key.ts'
import { offerLinks } from '../../page-address.ts'
import { readJsonInput } from '../../read-input.ts'
import { detailsText } from '../../terminal/table.ts'
import { withExamples } from '../../with-examples.ts'
import { createOffers } from './create-offers.ts'
import { type BodyOptions, bodyOf, type OfferBody, withBody } from './offer-body.ts'

interface CreateOptions extends BodyOptions, KeyOptions {
  readonly from?: string
}

export function createOfferCommand(offers: Command, cli: Cli): void {
  const command = withExamples(
    offers.command('create').description('Create an offer from flags, a file, or both.'),
    "offers create --product prod_01h455vb4pex5vsknk084sn02q --notes 'Welcome.' --expires-at 30d",
    'offers create --product prod_01h455vb4pex5vsknk084sn02q --price 4900 --currency eur --interval month',
    'offers create --file - --idempotency-key order-4711 < offer.json',
    'offers create --from - --product prod_01h455vb4pex5vsknk084sn02q < offers.jsonl',
  )
  withKey(withBody(command))
    .addOption(
      new Option(
        '--from <path>',
        'create an offer of each line, a JSON object; run it again to go on where it stopped',
      ).conflicts(['file', 'idempotencyKey']),
    )
    .action(options => createOffer(cli, options))
}

export function previewOfferCommand(offers: Command, cli: Cli): void {
  const command = withExamples(
    offers
      .command('preview')
      .description('Show the version, terms and warnings of an offer without creating it.'),
    'offers preview --product prod_01h455vb4pex5vsknk084sn02q --channel och_01h455vb4pex5vsknk084sn02q',
  )
  withBody(command).action(async options => {
    const body = await bodyOfOne(cli, options)
    const { client } = await cli.connect()
    const answer = await cli.call('previewing', call => client.offers.preview_offer({ body }, call))
    noteWarnings(cli, answer.body)
    showAnswer(cli, services.offers.operations.preview_offer, answer.body)
  })
}

async function createOffer(cli: Cli, options: CreateOptions): Promise<void> {
  if (options.from !== undefined) return createOffers(cli, options.from, options)
  const body = await bodyOfOne(cli, options)
  const { client, baseUrl } = await cli.connect()
  const request = { headers: keyHeaders(cli, options), body }
  const [answer, url] = await Promise.all([
    cli.call('creating', call => client.offers.create_offer(request, call)),
    offerLinks(cli, baseUrl),
  ])
  reportReplay(cli, answer, 'offer')
  cli.print({ ...answer.body, url: url(answer.body) }, offer =>
    detailsText(
      cli.terminal,
      [
        { name: 'id', value: ({ id }) => id },
        { name: 'short_hash', value: ({ short_hash }) => short_hash },
        { name: 'url', value: ({ url }) => url },
      ],
      offer,
    ),
  )
  if (!cli.options.json) await warn(cli, client, answer.body)
}

async function bodyOfOne(cli: Cli, options: BodyOptions): Promise<OfferBody> {
  const given = options.file === undefined ? {} : await readJsonInput(cli, options.file)
  const body = await bodyOf(cli, options, given)
  if (Object.keys(body).length === 0) throw new UsageError('Give --product, --package-version or --file.')
  return body
}

/** Called after printing the id: the offer exists, whether or not it can be read. */
async function warn(cli: Cli, { offers }: Client, { id }: { id: string }): Promise<void> {
  try {
    const limits = { timeoutMs: 5_000 }
    const { body } = await cli.call('reading', call =>
      offers.get_offer({ params: { id } }, { ...limits, ...call }),
    )
    noteWarnings(cli, body)
  } catch {
    cli.signal.throwIfAborted()
  }
}

export function noteWarnings(cli: Cli, { warnings }: { warnings: readonly { readonly message: string }[] }) {
  for (const { message } of warnings) cli.note(`Warning: ${message}`)
}
