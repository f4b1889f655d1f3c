/** The key of a form that creates something: sent twice, it creates one (docs/specification.md, R73). */
import { randomUUID } from 'node:crypto'
import { codes } from '@svc/contract/core/error-codes'
import { entriesOf, isRefusedAs } from './refused-as.ts'
import type { FieldValues } from './field-spec.ts'
import type { Refused } from './submitted.ts'

export const newKey = () => ({ key: randomUUID() as string })
export const withNewKey = (values: FieldValues): FieldValues => ({ ...values, ...newKey() })

export const keyField = ({ key = '' }: FieldValues) => ({ key })

export const keyHeader = ({ key = '' }: FieldValues) => ({ 'Idempotency-Key': key })

export const sentKey = ({ key }: FieldValues) => ({ 'idempotency-key': key || randomUUID() })

/**
 * The values for showing the form after a refusal. If it was sent before with other values, the next attempt is
 * another creation.
 */
export function shownAgain(values: FieldValues, { problems, status, code }: Refused) {
  if (code !== codes.key_reused[0]) return { values, problems, status }
  return { values: withNewKey(values), problems: { '': sentBefore }, status }
}

export const sentBefore =
  'This form was already sent with other values, and something was created. To create another one, send it again.'

export interface CreatedBefore {
  readonly createdBefore: string
}

export const orCreatedBefore = <T>(created: Promise<T>): Promise<T | CreatedBefore> =>
  created.catch(error => {
    if (!isRefusedAs(error, 'already_created')) throw error
    return { createdBefore: entriesOf(error)[0]?.metadata?.id ?? '' }
  })
