/** `svc offers create`: the body from flags and a file, under a key that makes it safe to repeat. */
import type { Client } from '@svc/client'
import { type Command, Option } from 'commander'
import type { Cli } from '../../cli.ts'
import { UsageError } from '../../failure.ts'
import { type KeyOptions, keyHeaders, noteReplay, withKey } from '../../idempotency-key.ts'
import { offerLinks } from '../../page-address.ts'
import { collect, jsonOrText, nameAndValue, parseInteger, parseTime, parseUses } from '../../parse-values.ts'
import { readJsonInput } from '../../read-input.ts'
import { detailsText } from '../../terminal/table.ts'
import { withExamples } from '../../with-examples.ts'

type OfferBody = NonNullable<Parameters<Client['offers']['create_offer']>[0]>['body']
type FieldValues = Readonly<Record<string, { readonly value: unknown; readonly locked: boolean }>>

interface CreateOptions extends KeyOptions {
  readonly file?: string
  readonly product?: string
  readonly packageVersion?: string
  readonly channel?: string
  readonly notes?: string
  readonly internalNote?: string
  readonly allowEmail?: readonly string[]
  readonly field?: FieldValues
  readonly lockedField?: FieldValues
  readonly customerName?: string
  readonly customerId?: string
  readonly mode?: string
  readonly price?: number
  readonly currency?: string
  readonly interval?: string
  readonly expiresAt?: number
  readonly maxUses?: number | 'unlimited'
  readonly orderTtlMinutes?: number
  readonly tier?: string
  readonly allowApiTokens?: true
}

export function addOfferOptions(command: Command): Command {
  const described = withExamples(
    command,
    "offers create --product prod_01h455vb4pex5vsknk084sn02q --notes 'Welcome.' --expires-at 30d",
    'offers create --product prod_01h455vb4pex5vsknk084sn02q --price 4900 --currency eur --interval month',
    'offers create --file - --idempotency-key order-4711 < offer.json',
  ).option('--file <path>', 'the body as JSON; - reads standard input. Flags win over it')
  return withKey(described)
    .option('--product <id>', 'the product, or')
    .option('--package-version <id>', 'the package version')
    .option('--channel <id>', 'the offer channel whose policy resolves the terms')
    .option('--notes <text>', 'for entitled customers')
    .option('--internal-note <text>', 'seen by the seller only')
    .option('--allow-email <address>', 'who may use it; may be repeated (default: anyone)', collect)
    .option(
      '--field <name=value>',
      'pre-fill a field; read as JSON, otherwise as text; may be repeated',
      parseField(false),
    )
    .option('--locked-field <name=value>', 'the same, and the customer cannot change it', parseField(true))
    .option('--customer-name <name>', 'the customer, seen by the seller only')
    .option('--customer-id <id>', 'the same, in another system')
    .addOption(new Option('--mode <mode>', 'the customer’s path').choices(['paid', 'non_billable_test']))
    .option('--price <amount>', 'in the smallest unit of the currency', parseInteger)
    .addOption(new Option('--currency <currency>', 'of the price').choices(['eur', 'usd']))
    .addOption(new Option('--interval <interval>', 'of the price').choices(['month', 'year']))
    .option('--expires-at <time>', 'Unix seconds, ISO 8601, or 30d from now', parseTime)
    .option('--max-uses <n>', 'redemptions, or unlimited (default: 1)', parseUses)
    .option('--order-ttl-minutes <n>', 'how long an order holds its seat (default: 120)', parseInteger)
    .option('--tier <name>', 'legacy billing tier')
    .option('--allow-api-tokens', 'let API tokens order, where anyone may')
}

export async function createOffer(cli: Cli, options: CreateOptions): Promise<void> {
  const body = await bodyOf(cli, options)
  const { client, baseUrl } = await cli.connect()
  // The API reports what is wrong, in the same words for everyone.
  const request = { headers: keyHeaders(cli, options), body: body as OfferBody }
  const [answer, url] = await Promise.all([
    cli.call('creating', call => client.offers.create_offer(request, call)),
    offerLinks(cli, baseUrl),
  ])
  noteReplay(cli, answer, 'offer')
  cli.print(answer.body, offer =>
    detailsText(
      cli.terminal,
      [
        { name: 'id', value: ({ id }) => id },
        { name: 'short_hash', value: ({ short_hash }) => short_hash },
        { name: 'url', value: url },
      ],
      offer,
    ),
  )
  if (!cli.options.json) await warn(cli, client, answer.body)
}

/** After its id was printed: whether the offer can be read does not change that there is one. */
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

async function bodyOf(cli: Cli, options: CreateOptions): Promise<object> {
  const { file, field, lockedField } = options
  const given = file === undefined ? {} : await readJsonInput(cli, file)
  const field_values = (field || lockedField) && { ...fieldsOf(given), ...field, ...lockedField }
  const body = { ...given, ...withoutAbsent({ ...flags(options), field_values }) }
  if (Object.keys(body).length === 0) throw new UsageError('Give --product, --package-version or --file.')
  return body
}

const fieldsOf = ({ field_values }: { field_values?: unknown }) =>
  typeof field_values === 'object' && field_values !== null ? field_values : {}

function flags(options: CreateOptions): object {
  const { price, currency, interval, customerName, customerId } = options
  const pricing = withoutAbsent({ unit_amount: price, currency, interval })
  const customer = withoutAbsent({ display_name: customerName, external_id: customerId })
  return {
    product_id: options.product,
    package_version_id: options.packageVersion,
    offer_channel_id: options.channel,
    allowed_emails: options.allowEmail,
    customer: Object.keys(customer).length > 0 ? customer : undefined,
    internal_note: options.internalNote,
    commercial_mode: options.mode,
    pricing_request: Object.keys(pricing).length > 0 ? pricing : undefined,
    notes: options.notes,
    expires_at: options.expiresAt,
    max_uses: options.maxUses === 'unlimited' ? null : options.maxUses,
    order_ttl_minutes: options.orderTtlMinutes,
    tier: options.tier,
    allow_api_tokens: options.allowApiTokens,
  }
}

const withoutAbsent = (values: object): object =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

const parseField =
  (locked: boolean) =>
  (text: string, before: FieldValues = {}): FieldValues => {
    const [name, value] = nameAndValue(text)
    return { ...before, [name]: { value: jsonOrText(value), locked } }
  }
