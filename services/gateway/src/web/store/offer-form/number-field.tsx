/** A number field whose value stays text if a double would change it. */
import { type FieldProps, getDecimalSeparator } from '@rjsf/utils'
import { lostNumber } from '@svc/contract/core/json-numbers'
import { useState } from 'preact/hooks'

/** Keeps the text as typed while it equals the value: "1.50" is not cut to "1.5". */
export function NumberField(props: FieldProps) {
  const { StringField } = props.registry.fields as { StringField: (props: FieldProps) => never }
  const [typed, setTyped] = useState<unknown>()
  const isTyped = typed !== undefined && numberOf(typed) === props.formData
  return (
    <StringField
      {...props}
      formData={isTyped ? typed : inLocale(props)}
      onChange={(entered, ...rest) => {
        setTyped(entered)
        props.onChange(numberOf(entered), ...rest)
      }}
    />
  )
}

function inLocale({ formData, schema, registry }: FieldProps): unknown {
  const isText =
    typeof formData === 'number' && schema.type === 'number' && !registry.schemaUtils.isSelect(schema)
  return isText ? String(formData).replace('.', getDecimalSeparator()) : formData
}

function numberOf(entered: unknown): unknown {
  if (typeof entered !== 'string') return entered
  const text = entered.trim().replace(getDecimalSeparator(), '.')
  if (text === '') return undefined
  const value = Number(text)
  return Number.isFinite(value) && !lostNumber(text) ? value : text
}
