/** A number field whose value stays text where a double does not hold what was typed: the library would pass on another number. */
import { type FieldProps, getDecimalSeparator } from '@rjsf/utils'
import { lostNumber } from '@svc/contract/core/json-numbers'
import { useState } from 'preact/hooks'

/** Shows the text as it was typed while it has the value of the field: "1.50" is not cut to "1.5". */
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

/** Text inputs, which locales with another separator get for fractions, show numbers as they are typed there. */
function inLocale({ formData, schema, registry }: FieldProps): unknown {
  const isText =
    typeof formData === 'number' && schema.type === 'number' && !registry.schemaUtils.isSelect(schema)
  return isText ? String(formData).replace('.', getDecimalSeparator()) : formData
}

/** Other than text is the value of an option. */
function numberOf(entered: unknown): unknown {
  if (typeof entered !== 'string') return entered
  const text = entered.trim().replace(getDecimalSeparator(), '.')
  if (text === '') return undefined
  const value = Number(text)
  return Number.isFinite(value) && !lostNumber(text) ? value : text
}
