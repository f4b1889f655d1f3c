import type { BaseInputTemplateProps, RJSFSchema, WidgetProps } from '@rjsf/utils'
import { useState } from 'preact/hooks'
import { labelText } from '../../kit/offers/readable-name.ts'

export function TextInput(props: BaseInputTemplateProps) {
  const { id, type, value, required, readonly, disabled, options, schema, onChange } = props
  const [isLong] = useState(() => !type && (Number(schema.maxLength) > longLine || `${value}`.includes('\n')))
  const wrong = (props.rawErrors?.length ?? 0) > 0
  const attributes = {
    id,
    name: props.htmlName,
    value: value ?? '',
    readOnly: readonly,
    disabled,
    required,
    'aria-invalid': wrong || undefined,
    'aria-describedby': describedBy(id, schema.description, wrong),
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      onChange(value === '' ? options.emptyValue : value),
  }
  if (isLong) return <textarea {...attributes} rows={4} />
  return <input {...attributes} type={type ?? 'text'} inputMode={keyboardOf(schema)} />
}

/** Characters that are at most entered in one line. */
const longLine = 255

/** Never `type=number`: it drops what is no number in the browser's language, such as the comma of "12,5". */
function keyboardOf({ type, minimum, exclusiveMinimum }: RJSFSchema) {
  // Some keyboards for numbers have no minus.
  if (!(Number(minimum ?? exclusiveMinimum) >= 0)) return undefined
  return ({ integer: 'numeric', number: 'decimal' } as const)[String(type)]
}

export function Checkbox({ id, value, label, schema, disabled, readonly, onChange, rawErrors }: WidgetProps) {
  const wrong = (rawErrors?.length ?? 0) > 0
  return (
    <>
      <div className="check">
        <input
          type="checkbox"
          id={id}
          checked={value === true}
          disabled={disabled || readonly}
          aria-invalid={wrong || undefined}
          aria-describedby={describedBy(id, schema.description, wrong)}
          onChange={({ currentTarget }) =>
            onChange(currentTarget.checked || (schema.consent ? undefined : false))
          }
        />
        <label htmlFor={id} className="long">
          {labelText(schema, label)}
        </label>
      </div>
      {schema.description && (
        <p className="hint long" id={`${id}__description`}>
          {schema.description}
        </p>
      )}
    </>
  )
}

const describedBy = (id: string, description: string | undefined, wrong: boolean) =>
  [description && `${id}__description`, wrong && `${id}__error`].filter(Boolean).join(' ') || undefined
