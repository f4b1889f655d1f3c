import { type BaseInputTemplateProps, getInputProps, type WidgetProps } from '@rjsf/utils'
import type { ComponentProps } from 'preact'
import { labelText } from '../../kit/offers/readable-name.ts'

export function TextInput(props: BaseInputTemplateProps) {
  const { id, type, value, required, readonly, disabled, options, schema, onChange, onChangeOverride } = props
  const wrong = (props.rawErrors?.length ?? 0) > 0
  return (
    <input
      {...(getInputProps(schema, type, options) as ComponentProps<'input'>)}
      id={id}
      value={value ?? ''}
      readOnly={readonly}
      disabled={disabled}
      required={required}
      autoComplete="off"
      aria-invalid={wrong || undefined}
      aria-describedby={describedBy(id, schema.description, wrong)}
      onChange={
        onChangeOverride ??
        (({ currentTarget: { value } }) => onChange(value === '' ? options.emptyValue : value))
      }
    />
  )
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
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
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
