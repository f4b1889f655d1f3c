/** The JSON Schema of a part of an operation. */
import * as z from 'zod'

export interface Property {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Property[]
  readonly $ref?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Property
  readonly properties?: Properties
  readonly required?: readonly string[]
}
export type Properties = Readonly<Record<string, Property>>

interface Root extends Property {
  readonly $defs?: Properties
}

/** Without references: those to named schemas are resolved. */
export function schemaOf(schema: z.ZodType | undefined, io: 'input' | 'output'): Property {
  if (!schema) return {}
  const root = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Root
  const resolve = (one: Property): Property => {
    const found = one.$ref ? { ...root.$defs?.[one.$ref.replace('#/$defs/', '')], ...one } : one
    return {
      ...found,
      ...(found.items && { items: resolve(found.items) }),
      ...(found.anyOf && { anyOf: found.anyOf.map(resolve) }),
      ...(found.properties && {
        properties: Object.fromEntries(
          Object.entries(found.properties).map(([name, one]) => [name, resolve(one)]),
        ),
      }),
    }
  }
  return resolve(root)
}

export const propertiesOf = (schema: z.ZodType | undefined, io: 'input' | 'output'): Properties =>
  schemaOf(schema, io).properties ?? {}

/** What it is where it is not null. */
export function present(property: Property): Present {
  const { anyOf = [], type: types, ...rest } = property
  const own = [types ?? []].flat()
  const { type: found, ...other } = anyOf.find(({ type }) => type !== 'null') ?? {}
  const type = [...own, ...[found ?? []].flat()].find(one => one !== 'null')
  const nullable = own.includes('null') || anyOf.some(one => one.type === 'null')
  return { ...other, ...rest, ...(type && { type }), nullable }
}

export interface Present extends Property {
  readonly type?: string
  readonly nullable: boolean
}

/** Fields with times, in Unix seconds: the contract names them so. */
export const isTime = (name: string, property: Property): boolean =>
  present(property).type === 'integer' && /(_at|_since|_before)$|^(at|after|before)$/.test(name)
