/** Values of an offer's fields, to be read. */
interface FieldValuesProps {
  readonly values: Readonly<Record<string, unknown>>
  /** For the names of the fields. */
  readonly schema?: Readonly<Record<string, unknown>> | undefined
}

export function FieldValues({ values, schema }: FieldValuesProps) {
  return (
    <dl class="facts values">
      {Object.entries(values).map(([name, value]) => (
        <div key={name}>
          <dt class="long">{fieldTitle(schema, name)}</dt>
          <dd class="long">{shown(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

export function fieldTitle(schema: FieldValuesProps['schema'], name: string): string {
  const properties = schema?.properties as Record<string, { title?: unknown } | boolean> | undefined
  const property = properties && Object.hasOwn(properties, name) ? properties[name] : undefined
  const title = typeof property === 'object' ? property?.title : undefined
  return typeof title === 'string' && title.trim() !== '' ? title.slice(0, 200) : name
}

function shown(value: unknown) {
  if (typeof value === 'string') return value === '' ? <span class="hint">empty</span> : value
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'object' && value !== null) return <pre>{JSON.stringify(value, null, 2)}</pre>
  return String(value)
}
