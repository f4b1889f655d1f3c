import * as z from 'zod'

export interface Property {
  readonly $ref?: string
  readonly $defs?: Properties
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly string[]
  readonly const?: unknown
  readonly anyOf?: readonly Property[]
  readonly oneOf?: readonly Property[]
  readonly default?: unknown
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  readonly items?: Property
  readonly properties?: Properties
  readonly required?: readonly string[]
  readonly additionalProperties?: Property | boolean
}
export type Properties = Readonly<Record<string, Property>>

export function schemaOf(schema: z.ZodType | undefined, io: 'input' | 'output' = 'input'): Property {
  if (!schema) return {}
  const whole = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Property
  return resolve(whole) as Property

  function resolve(part: unknown, within: readonly string[] = []): unknown {
    if (Array.isArray(part)) return part.map(each => resolve(each, within))
    if (typeof part !== 'object' || part === null) return part
    const { $ref, ...rest } = part as Property
    const resolved = Object.fromEntries(
      Object.entries(rest).map(([key, value]) => [key, key === '$defs' ? value : resolve(value, within)]),
    )
    const name = $ref?.replace('#/$defs/', '')
    // A recursive schema has no further bounds inside itself.
    if (!name || within.includes(name)) return resolved
    return { ...(resolve(whole.$defs?.[name], [...within, name]) as Property), ...resolved }
  }
}

export const propertiesOf = (schema: z.ZodType | undefined, io: 'input' | 'output'): Properties =>
  schemaOf(schema, io).properties ?? {}

export interface Present extends Property {
  readonly type?: string
  /** Words that stand in the stead of a list, such as `read` for several permissions. */
  readonly instead?: readonly string[]
  readonly nullable: boolean
}

export function present(property: Property): Present {
  const { anyOf = [], type: types, ...rest } = property
  const own = [types ?? []].flat()
  const variants = anyOf.flatMap(one => one.anyOf ?? [one])
  const { type: found, ...other } =
    listOrWord(variants) ?? variants.find(({ type }) => type !== 'null') ?? ({} as Property)
  const type = [...own, ...[found ?? []].flat()].find(one => one !== 'null')
  const nullable = own.includes('null') || variants.some(one => one.type === 'null')
  return { ...other, ...rest, ...(type && { type }), nullable }
}

function listOrWord(variants: readonly Property[]) {
  const instead = variants.find(one => one.enum)?.enum
  const list = variants.find(({ type }) => type === 'array')
  if (!instead || !list) return undefined
  return { ...list, instead, items: { ...list.items, enum: [...instead, ...(list.items?.enum ?? [])] } }
}

/** Fields with times, in Unix seconds: the contract names them so. */
export const isTime = (name: string, property: Property): boolean =>
  present(property).type === 'integer' && /(_at|_since|_before)$|^(at|after|before)$/.test(name)
