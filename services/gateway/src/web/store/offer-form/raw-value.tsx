import { useState } from 'preact/hooks'
import { fieldId } from '../../kit/offers/offer-form-data.ts'
import { readableName } from '../../kit/offers/readable-name.ts'
import type { RawProperty } from './plan-form.ts'

interface RawValueProps {
  readonly property: RawProperty
  readonly text: string
  readonly problem: string | undefined
  onChange(text: string): void
}

export function RawValue({ property, text, problem, onChange }: RawValueProps) {
  const { name, title, description, required } = property
  const [shown, setShown] = useState(text)
  const id = fieldId([name])
  return (
    <div className={problem ? 'field wrong' : 'field'}>
      <label htmlFor={id} className="long">
        {title || readableName(name)}
        {!required && <span className="optional"> (optional)</span>}
      </label>
      {problem && (
        <p className="problem" id={`${id}__error`}>
          {problem}
        </p>
      )}
      <textarea
        id={id}
        rows={4}
        spellcheck={false}
        autoComplete="off"
        className="json"
        value={shown}
        aria-required={required}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? `${id}__hint ${id}__error` : `${id}__hint`}
        onChange={({ currentTarget }) => {
          setShown(currentTarget.value)
          onChange(currentTarget.value)
        }}
      />
      <p className="hint long" id={`${id}__hint`}>
        {description} Enter the value as JSON: text in double quotes, a number, true, false, a list or an
        object.
      </p>
    </div>
  )
}
