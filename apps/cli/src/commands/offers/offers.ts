import { offerStates } from '@svc/contract/offers/published-offers'
import { type Command, Option } from 'commander'
import type { Cli } from '../../cli.ts'
import { type PageOptions, printList, withPages } from '../../list.ts'
import { offerLinks } from '../../page-address.ts'
import { parseId, parseKey, parseTime, timeText } from '../../parse-values.ts'
import { type Column, detailsText } from '../../terminal/table.ts'
import { withExamples } from '../../with-examples.ts'
import { noteWarnings } from './create-offer.ts'

interface ListOptions extends PageOptions {
  readonly product?: string
  readonly channel?: string
  readonly state?: string
  readonly text?: string
  readonly after?: number
  readonly before?: number
  readonly order?: string
  readonly idempotencyKey?: string
}

export const listOffersCommand = (offers: Command, cli: Cli): Command =>
  withExamples(
    withPages(offers.command('list').description('List offers.')),
    'offers list --state active --limit 100',
    'offers list --idempotency-key order-4711 --json',
  )
    .option('--product <id>', 'of this product')
    .option('--channel <id>', 'of this offer channel')
    .addOption(new Option('--state <state>', 'in this state').choices(offerStates))
    .option('--text <text>', 'with this text in product, customer, notes, id or link')
    .option('--after <time>', 'created from this time on: Unix seconds or ISO 8601', parseTime)
    .option('--before <time>', 'created before this time', parseTime)
    .addOption(
      new Option('--order <order>', 'newest (desc, the default) or oldest first').choices(['desc', 'asc']),
    )
    .option('--idempotency-key <key>', 'created with this key', parseKey)
    .action(options => list(cli, options))

export const getOfferCommand = (offers: Command, cli: Cli): Command =>
  offers
    .command('get')
    .description('Show an offer: requested terms, resolved terms and current state.')
    .argument('<id>', 'offer_…', parseId)
    .action(id => get(cli, id))

export const revokeOfferCommand = (offers: Command, cli: Cli): Command =>
  offers
    .command('revoke')
    .description('Revoke an offer: it can no longer be redeemed.')
    .argument('<id>', 'offer_…', parseId)
    .action(id => revoke(cli, id))

interface Summary {
  readonly id: string
  readonly short_hash: string
  readonly state: string
  readonly product_id: string | null
  readonly customer: { readonly display_name: string } | null
  readonly seats: { readonly max_uses: number | null; readonly redeemed: number; readonly reserved: number }
  readonly expires_at: number | null
}

type Warnings = Parameters<typeof noteWarnings>[1]['warnings']

interface Offer extends Summary {
  readonly package_version_id: string
  readonly offer_channel_id: string | null
  readonly allowed_emails: readonly string[]
  readonly field_values: Readonly<Record<string, unknown>>
  readonly terms: object
  readonly warnings: Warnings
  readonly notes: string | null
  readonly internal_note: string | null
  readonly order_ttl_minutes: number
  readonly revoked_at: number | null
  readonly created_at: number
}

const seats = ({ seats: { redeemed, max_uses } }: Summary) => `${redeemed}/${max_uses ?? 'unlimited'}`
const tone: Column<Summary>['tone'] = state =>
  state === 'active' ? 'green' : state === 'revoked' ? 'red' : 'dim'

const columns: Column<Summary>[] = [
  { name: 'id', value: ({ id }) => id },
  { name: 'short_hash', value: ({ short_hash }) => short_hash },
  { name: 'state', value: ({ state }) => state, tone },
  { name: 'seats', value: seats },
  { name: 'expires_at', value: ({ expires_at }) => timeText(expires_at) },
  { name: 'customer', value: ({ customer }) => customer?.display_name, flexible: true },
]

type Link = (offer: Summary) => string

/** Scripts read by position, so the link comes last; for people it makes the hash unnecessary. */
const columnsOf = (cli: Cli, url: Link): Column<Summary>[] =>
  cli.terminal.columns === undefined
    ? [...columns, { name: 'url', value: url }]
    : columns.map(column => (column.name === 'short_hash' ? { name: 'url', value: url } : column))

const detailed: Column<Offer>[] = [
  { name: 'id', value: ({ id }) => id },
  { name: 'short_hash', value: ({ short_hash }) => short_hash },
  { name: 'state', value: ({ state }) => state, tone },
  { name: 'product_id', value: ({ product_id }) => product_id },
  { name: 'package_version_id', value: ({ package_version_id }) => package_version_id },
  { name: 'offer_channel_id', value: ({ offer_channel_id }) => offer_channel_id },
  { name: 'seats', value: seats },
  { name: 'reserved', value: ({ seats: { reserved } }) => reserved },
  { name: 'allowed_emails', value: ({ allowed_emails }) => allowed_emails.join(', ') || 'anyone' },
  { name: 'field_values', value: ({ field_values }) => JSON.stringify(field_values) },
  { name: 'terms', value: ({ terms }) => JSON.stringify(terms) },
  { name: 'customer', value: ({ customer }) => customer?.display_name },
  { name: 'notes', value: ({ notes }) => notes },
  { name: 'internal_note', value: ({ internal_note }) => internal_note },
  { name: 'order_ttl_minutes', value: ({ order_ttl_minutes }) => order_ttl_minutes },
  { name: 'expires_at', value: ({ expires_at }) => timeText(expires_at) },
  { name: 'revoked_at', value: ({ revoked_at }) => timeText(revoked_at) },
  { name: 'created_at', value: ({ created_at }) => timeText(created_at) },
]

async function list(cli: Cli, options: ListOptions): Promise<void> {
  const { product, channel, idempotencyKey, after, before, state, text, order } = options
  const { client, baseUrl } = await cli.connect()
  const links = offerLinks(cli, baseUrl)
  await printList<Summary>(cli, client.offers.list_offers, options, {
    things: 'offers',
    query: {
      ...{ product_id: product, offer_channel_id: channel, idempotency_key: idempotencyKey },
      ...{ state, text, order, after: after?.toString(), before: before?.toString() },
    },
    columns: links.then(link => columnsOf(cli, link)),
    more: links.then(link => offer => ({ url: link(offer) })),
  })
}

async function get(cli: Cli, id: string): Promise<void> {
  const { client, baseUrl } = await cli.connect()
  const [{ body }, link] = await Promise.all([
    cli.call('reading', options => client.offers.get_offer({ params: { id } }, options)),
    offerLinks(cli, baseUrl),
  ])
  noteWarnings(cli, body)
  print(cli, body, link)
}

async function revoke(cli: Cli, id: string): Promise<void> {
  const { client, baseUrl } = await cli.connect()
  const [{ body }, link] = await Promise.all([
    cli.call('revoking', options => client.offers.revoke_offer({ params: { id } }, options)),
    offerLinks(cli, baseUrl),
  ])
  print(cli, body, link)
}

const print = (cli: Cli, body: Offer, url: Link) =>
  cli.print({ ...body, url: url(body) }, offer =>
    detailsText(cli.terminal, [...detailed, { name: 'url', value: url }], offer),
  )
