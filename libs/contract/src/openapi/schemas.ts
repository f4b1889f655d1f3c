import * as z from 'zod'

type Io = 'input' | 'output'
export type JsonSchema = Record<string, unknown> & {
  readonly properties?: Record<string, object>
  readonly required?: readonly string[]
}
export type Schemas = ReturnType<typeof createSchemas>

/**
 * A schema is named by `meta({ id })`. If its input and output are equal, they share a component; otherwise the
 * input (where defaults may be omitted) is named `…Input`.
 */
export function createSchemas() {
  const found: Record<Io, Map<string, object>> = { input: new Map(), output: new Map() }
  const collect = (definitions: Record<string, object>, io: Io) => {
    for (const [id, definition] of Object.entries(definitions)) found[io].set(id, definition)
  }
  const differs = (id: string) => {
    const [sent, answered] = [found.input.get(id), found.output.get(id)]
    return sent !== undefined && answered !== undefined && plain(sent) !== plain(answered)
  }
  const nameOf = (id: string, io: Io) => (io === 'input' && differs(id) ? `${id}Input` : id)

  return {
    of(schema: z.ZodType, io: Io): JsonSchema {
      // Wrapped in another one, since only nested schemas are referenced.
      const { $defs = {}, properties } = z.toJSONSchema(z.object({ it: schema }), {
        io,
        unrepresentable: 'any',
        override: ({ zodSchema, jsonSchema }) => {
          unlimit(jsonSchema)
          addDiscriminator(zodSchema, jsonSchema)
        },
      }) as unknown as { $defs?: Record<string, object>; properties: { it: JsonSchema } }
      collect(marked($defs, io), io)
      return marked(properties.it, io)
    },
    named(): Record<string, object> {
      const all = (['input', 'output'] as const).flatMap(io =>
        [...found[io]].map(([id, definition]) => [nameOf(id, io), definition] as const),
      )
      return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)))
    },
    finish<T>(document: T): T {
      const components = this.named() as Record<string, JsonSchema>
      return JSON.parse(JSON.stringify(document), (key, value) => {
        if (isDiscriminated(value)) return withMapping(value, components)
        if (key !== '$ref' || typeof value !== 'string') return value
        const [, io, id = ''] = /^(input|output):(.*)$/.exec(value) ?? []
        return io ? `#/components/schemas/${nameOf(id, io as Io)}` : value
      })
    },
  }
}

/** References stay `input:<id>` or `output:<id>` until all schemas are known. */
function marked<T>(schema: T, io: Io): T {
  return JSON.parse(JSON.stringify(schema), (key, value) =>
    key === '$ref' && typeof value === 'string' ? value.replace('#/$defs/', `${io}:`) : value,
  )
}

const plain = (schema: object) => JSON.stringify(schema).replace(/"(input|output):/g, '"')

interface Discriminated {
  readonly oneOf: readonly { readonly $ref: string }[]
  readonly discriminator: { readonly propertyName: string }
}

/** OpenAPI 3.1, discriminator object: a union whose variants differ by the constant of one property. */
function addDiscriminator(schema: z.core.$ZodTypes, jsonSchema: Record<string, unknown>) {
  const { discriminator } = schema._zod.def as { discriminator?: string }
  if (discriminator) jsonSchema.discriminator = { propertyName: discriminator }
}

const isDiscriminated = (value: unknown): value is Discriminated =>
  typeof value === 'object' && value !== null && 'discriminator' in value && 'oneOf' in value

/** Maps constants to variants; otherwise generators take the component's name for the constant. */
function withMapping(union: Discriminated, components: Record<string, JsonSchema>) {
  const { propertyName } = union.discriminator
  const entries = union.oneOf.map(({ $ref }) => {
    const variant = components[$ref.replace('#/components/schemas/', '')]
    const { const: constant } = (variant?.properties?.[propertyName] ?? {}) as { const?: string }
    return [constant, $ref]
  })
  return { ...union, discriminator: { propertyName, mapping: Object.fromEntries(entries) } }
}

/** Removes the bounds of JavaScript's numbers, which mean nothing to a reader. */
function unlimit(schema: { minimum?: number; maximum?: number }) {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}
