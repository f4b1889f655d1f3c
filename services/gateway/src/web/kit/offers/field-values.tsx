import { isHidden } from '@svc/contract/core/sealed-value'
import { hideSecrets, notShown } from './hide-secrets.ts'
import { labelOf } from './offer-form-data.ts'

type Schema = Readonly<Record<string, unknown>>

interface FieldValuesProps {
  readonly values: Readonly<Record<string, unknown>>
  /** For titles, order and secret fields; without it, values are not shown. */
  readonly schema: Schema | undefined
}

export function FieldValues({ values, schema }: FieldValuesProps) {
  if (!schema) return <p class="hint">Only people this offer is for can see these values.</p>
  const properties = (schema.properties ?? {}) as Readonly<Record<string, unknown>>
  const names = Object.keys(properties)
  const entries = Object.entries(hideSecrets(schema, values)).sort(
    ([a], [b]) => names.indexOf(a) - names.indexOf(b),
  )
  return (
    <dl class="facts values">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt class="long">{labelOf(schema, [name])}</dt>
          <dd class="long">{shown(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

const hidden = 'Hidden'

function shown(value: unknown) {
  if (value === notShown || isHidden(value)) return <span class="hint">{hidden}</span>
  if (typeof value === 'string') return value === '' ? <span class="hint">empty</span> : value
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value) && value.length > 0 && value.every(item => typeof item !== 'object')) {
    return value.map(item => (item === notShown ? hidden : String(item))).join(', ')
  }
  if (typeof value === 'object' && value !== null) {
    return (
      <pre>
        {JSON.stringify(value, (_name, part) => (part === notShown || isHidden(part) ? hidden : part), 2)}
      </pre>
    )
  }
  return String(value)
}
