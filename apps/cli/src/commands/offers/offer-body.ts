/** The body of a new offer, from flags, a file, or both. */
import type { Client } from '@svc/client'
import { commandOf } from '@svc/contract/openapi/reference'
import { services } from '@svc/contract/services'
import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { addOption, fieldsOf, inputOf } from '../../derived/input-fields.ts'
import { jsonOrText, nameAndValue } from '../../parse-values.ts'

export type OfferBody = NonNullable<Parameters<Client['offers']['create_offer']>[0]>['body']
type FieldValues = Readonly<Record<string, { readonly value: unknown; readonly locked: boolean }>>

export interface BodyOptions {
  readonly file?: string
  readonly field?: FieldValues
  readonly lockedField?: FieldValues
}

const { create_offer } = services.offers.operations
const surface = commandOf({ service: 'offers', name: 'create_offer', operation: create_offer }) ?? {
  name: '',
}
const fields = fieldsOf(create_offer, surface).filter(({ field }) => field !== 'field_values')

export function withBody(command: Command): Command {
  command.option('--file <path>', 'the body as JSON; - reads standard input. Flags win over it')
  for (const field of fields) addOption(command, field, false)
  return command
    .option(
      '--field <name=value>',
      'pre-fill a field; read as JSON, otherwise as text; may be repeated',
      parseField(false),
    )
    .option('--locked-field <name=value>', 'the same, and the customer cannot change it', parseField(true))
}

/** `given` with what the flags say in its place. */
export async function bodyOf(cli: Cli, options: BodyOptions, given: object): Promise<OfferBody> {
  const { field, lockedField } = options
  const { body } = await inputOf(cli, fields, { ...options })
  const field_values = (field || lockedField) && { ...valuesOf(given), ...field, ...lockedField }
  // The API reports problems, in the same words for everyone.
  return { ...given, ...body, ...(field_values && { field_values }) } as OfferBody
}

const valuesOf = ({ field_values }: { field_values?: unknown }) =>
  typeof field_values === 'object' && field_values !== null ? field_values : {}

const parseField =
  (locked: boolean) =>
  (text: string, before: FieldValues = {}): FieldValues => {
    const [name, value] = nameAndValue(text)
    return { ...before, [name]: { value: jsonOrText(value), locked } }
  }
