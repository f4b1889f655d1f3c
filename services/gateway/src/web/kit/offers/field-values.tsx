import { isHidden } from '@svc/contract/core/sealed-value'
import { hideSecrets, notShown } from './hide-secrets.ts'
import { labelOf, nodeAt } from './offer-form-data.ts'

type Schema = Readonly<Record<string, unknown>>

interface FieldValuesProps {
  readonly values: Readonly<Record<string, unknown>>
  /** For titles, order and secret fields; without it, values are not shown. */
  readonly schema: Schema | undefined
}

export function FieldValues({ values, schema }: FieldValuesProps) {
  if (!schema) return <p class="hint">Only people this offer is for can see these values.</p>
  return <Facts values={hideSecrets(schema, values)} schema={schema} path={[]} />
}

interface FactsProps {
  readonly values: object
  readonly schema: Schema
  /** Where the values are. */
  readonly path: readonly string[]
}

function Facts({ values, schema, path }: FactsProps) {
  const own = nodeAt(schema, path) ?? {}
  const names = Object.keys((own.properties ?? {}) as object)
  const placeOf = (name: string) => (names.includes(name) ? names.indexOf(name) : names.length)
  const entries = Object.entries(values).sort(([a], [b]) => placeOf(a) - placeOf(b))
  return (
    <dl class="facts values">
      {entries.map(([name, value]) => (
        <div key={name} class={isGroup(value) ? 'group' : undefined}>
          <dt class="long">{labelOf(own, [name])}</dt>
          <dd class="long">
            {isGroup(value) ? <Facts values={value} schema={schema} path={[...path, name]} /> : shown(value)}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const isGroup = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  !isHidden(value) &&
  (Array.isArray(value) ? value.some(item => typeof item === 'object') : Object.keys(value).length > 0)

const Hidden = () => (
  <>
    <span aria-hidden="true">••••••••</span>
    <span class="unseen">hidden</span>
  </>
)

function shown(value: unknown) {
  if (value === notShown || isHidden(value)) return <Hidden />
  if (typeof value === 'string') return value === '' ? <span class="hint">empty</span> : value
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value) && value.length > 0)
    return value.map(item => (item === notShown ? '••••••••' : String(item))).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
