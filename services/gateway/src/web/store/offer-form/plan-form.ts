/** Plans which of the seller's properties become fields, and what is checked before sending. */
import { inlineSchema } from './inline-schema.ts'
import { drawPart, drawSchema } from './draw-schema.ts'
import { isObject, isReservedName, type Schema } from './json-value.ts'

export interface FormPlan {
  readonly drawn: Schema
  readonly checked: Schema
  readonly raw: readonly RawProperty[]
}

export interface RawProperty {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly required: boolean
}

const budgetOfForm = 6000
const budgetOfProperty = 1500

export interface BySeller {
  readonly locked: readonly string[]
  readonly kept: readonly string[]
  readonly filled: readonly string[]
}

export function planForm(schema: Schema, { locked, kept, filled }: BySeller, drawable = true): FormPlan {
  const { properties, required, ...rest } = schema
  const drawn: Record<string, unknown> = {}
  const checked: Record<string, unknown> = {}
  const raw: RawProperty[] = []
  const needed = [
    ...(Array.isArray(required) ? required : []),
    ...filled.filter(name => isObject(properties) && Object.hasOwn(properties, name)),
  ].filter((name, at, all) => !locked.includes(name) && !kept.includes(name) && all.indexOf(name) === at)
  let left = budgetOfForm
  for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
    if (locked.includes(name)) continue
    const budget = { left: Math.min(left, budgetOfProperty) }
    const before = budget.left
    const inlined = attempt(() => inlineSchema(schema, property, budget))
    left -= before - Math.max(0, budget.left)
    if (inlined?.exact) checked[name] = inlined.schema
    const field =
      drawable && inlined && !isReservedName(name) ? attempt(() => drawSchema(inlined.schema)) : undefined
    if (field) drawn[name] = field
    else raw.push({ name, ...textsOf(property), required: needed.includes(name) })
  }
  const whole = attempt(() => inlineSchema(schema, wholeOf(rest), { left: Math.min(left, budgetOfProperty) }))
  const conditions = whole && drawable ? attempt(() => drawPart(whole.schema)) : undefined
  return {
    drawn: {
      type: 'object',
      properties: drawn,
      required: needed.filter(name => name in drawn),
      ...conditions,
    },
    checked: { type: 'object', properties: checked, required: needed, ...(whole?.exact && whole.schema) },
    raw,
  }
}

const wholeKeywords = ['allOf', 'if', 'then', 'else', 'dependentRequired', 'dependentSchemas']

const wholeOf = (schema: Schema): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => wholeKeywords.includes(keyword)))

/** The property's own title: its references may be the problem. */
function textsOf(property: unknown) {
  const { title, description } = isObject(property) ? property : {}
  return {
    title: typeof title === 'string' ? title.slice(0, 200) : '',
    description: typeof description === 'string' ? description.slice(0, 2000) : '',
  }
}

/** If a schema causes an error, its property is entered as JSON. */
function attempt<T>(plan: () => T): T | undefined {
  try {
    return plan()
  } catch {
    return undefined
  }
}
