/** A number field whose value stays text if it is not clearly one number, or if a double would change it. */
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

const separator = () => (getDecimalSeparator() === ',' ? ',' : '.')

function inLocale({ formData, registry, schema }: FieldProps): unknown {
  const isText = typeof formData === 'number' && !registry.schemaUtils.isSelect(schema)
  return isText ? String(formData).replace('.', separator()) : formData
}

const parts = /^[-+]?(\d*)(?:([.,])(\d*))?(?:e[-+]?\d+)?$/i

/**
 * Point and comma are both read as decimal separators, whatever the language: "12,5" is never 125. Where the one that is
 * not usual in it may separate thousands, as in "1,234", nobody but the customer can tell.
 */
function numberOf(entered: unknown): unknown {
  if (typeof entered !== 'string') return entered
  const text = entered.trim()
  if (text === '') return undefined
  const [all, whole = '', mark = '', fraction = ''] = parts.exec(text) ?? []
  const mayGroup = mark !== '' && mark !== separator() && /^[1-9]\d{0,2} \d{3}$/.test(`${whole} ${fraction}`)
  const value = Number(all?.replace(',', '.') ?? Number.NaN)
  return Number.isFinite(value) && !mayGroup && !lostNumber(text.replace(',', '.')) ? value : text
}
