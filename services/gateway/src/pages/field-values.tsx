/** Values of an offer's fields, to be read. */
import { labelOf } from './offer-form-data.ts'

type Schema = Readonly<Record<string, unknown>>

interface FieldValuesProps {
  readonly values: Readonly<Record<string, unknown>>
  /** For the titles of the fields, and their order. */
  readonly schema?: Schema | undefined
}

export function FieldValues({ values, schema = {} }: FieldValuesProps) {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, unknown>>
  const names = Object.keys(properties)
  const entries = Object.entries(values).sort(([a], [b]) => names.indexOf(a) - names.indexOf(b))
  return (
    <dl class="facts values">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt class="long">{labelOf(schema, [name])}</dt>
          <dd class="long">
            {isSecret(properties[name]) ? <span class="hint">not shown</span> : shown(value)}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const isSecret = (property: unknown) => (property as { format?: unknown } | undefined)?.format === 'password'

function shown(value: unknown) {
  if (typeof value === 'string') return value === '' ? <span class="hint">empty</span> : value
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value) && value.length > 0 && value.every(item => typeof item !== 'object')) {
    return value.join(', ')
  }
  if (typeof value === 'object' && value !== null) return <pre>{JSON.stringify(value, null, 2)}</pre>
  return String(value)
}
