import type { Client } from '@svc/client'
import { commandOf } from '@svc/contract/openapi/reference'
import { services } from '@svc/contract/services'
import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { addOption, fieldsOf, inputOf } from '../../derived/input-fields.ts'
import { UsageError } from '../../failure.ts'
import { type KeyOptions, keyHeaders, reportReplay, withKey } from '../../idempotency-key.ts'
import { offerLinks } from '../../page-address.ts'
import { jsonOrText, nameAndValue } from '../../parse-values.ts'
import { readJsonInput } from '../../read-input.ts'
import { detailsText } from '../../terminal/table.ts'
import { withExamples } from '../../with-examples.ts'

type OfferBody = NonNullable<Parameters<Client['offers']['create_offer']>[0]>['body']
type FieldValues = Readonly<Record<string, { readonly value: unknown; readonly locked: boolean }>>

interface CreateOptions extends KeyOptions {
  readonly file?: string
  readonly field?: FieldValues
  readonly lockedField?: FieldValues
}

const { create_offer } = services.offers.operations
const surface = commandOf({ service: 'offers', name: 'create_offer', operation: create_offer }) ?? {
  name: '',
}
const fields = fieldsOf(create_offer, surface).filter(({ field }) => field !== 'field_values')

export function createOfferCommand(offers: Command, cli: Cli): void {
  const command = withKey(
    withExamples(
      offers.command('create').description('Create an offer from flags, a file, or both.'),
      "offers create --product prod_01h455vb4pex5vsknk084sn02q --notes 'Welcome.' --expires-at 30d",
      'offers create --product prod_01h455vb4pex5vsknk084sn02q --price 4900 --currency eur --interval month',
      'offers create --file - --idempotency-key order-4711 < offer.json',
    ).option('--file <path>', 'the body as JSON; - reads standard input. Flags win over it'),
  )
  for (const field of fields) addOption(command, field, false)
  command
    .option(
      '--field <name=value>',
      'pre-fill a field; read as JSON, otherwise as text; may be repeated',
      parseField(false),
    )
    .option('--locked-field <name=value>', 'the same, and the customer cannot change it', parseField(true))
    .action(options => createOffer(cli, options))
}

async function createOffer(cli: Cli, options: CreateOptions): Promise<void> {
  const body = await bodyOf(cli, options)
  const { client, baseUrl } = await cli.connect()
  // The API reports problems, in the same words for everyone.
  const request = { headers: keyHeaders(cli, options), body: body as OfferBody }
  const [answer, url] = await Promise.all([
    cli.call('creating', call => client.offers.create_offer(request, call)),
    offerLinks(cli, baseUrl),
  ])
  reportReplay(cli, answer, 'offer')
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

async function bodyOf(cli: Cli, options: CreateOptions): Promise<object> {
  const { file, field, lockedField } = options
  const given = file === undefined ? {} : await readJsonInput(cli, file)
  const { body } = await inputOf(cli, fields, { ...options })
  const field_values = (field || lockedField) && { ...valuesOf(given), ...field, ...lockedField }
  const whole = { ...given, ...body, ...(field_values && { field_values }) }
  if (Object.keys(whole).length === 0) throw new UsageError('Give --product, --package-version or --file.')
  return whole
}

const valuesOf = ({ field_values }: { field_values?: unknown }) =>
  typeof field_values === 'object' && field_values !== null ? field_values : {}

const parseField =
  (locked: boolean) =>
  (text: string, before: FieldValues = {}): FieldValues => {
    const [name, value] = nameAndValue(text)
    return { ...before, [name]: { value: jsonOrText(value), locked } }
  }
