import * as z from 'zod'
import type { IdPrefix } from './id-prefixes.ts'
import { unruly, unrulyInLines } from './invisible.ts'

/**
 * One line of `min` to `max` characters without terminal control or direction characters. Counted in Unicode code
 * points, as JSON Schema and PostgreSQL count, not in UTF-16 units as `z.string().max()` does.
 *
 * @param missing the message for an absent value
 */
export function text(min: 0 | 1, max: number, missing?: string) {
  const string = z.string(missing && { error: ({ input }) => (input === undefined ? missing : undefined) })
  return bounded(string, min, max, unrulyIn(unruly)).meta({ pattern: `^[^${unruly}]*$` })
}

/**
 * A name of 1 to `max` characters in NFC: macOS decomposes letters where others compose them, and names are
 * compared.
 *
 * @param refused finds the first character that is not allowed
 */
export const nameText = (max: number, refused: Find = unrulyIn(unruly)) =>
  bounded(z.string().normalize('NFC'), 1, max, refused).meta({ pattern: `^[^${unruly}]*$` })

/** As {@link text}, of several lines: allows line feeds and tabs, and stores Windows line ends as line feeds. */
export const linesText = (min: 0 | 1, max: number) =>
  bounded(
    z.string().overwrite(lines => lines.replaceAll('\r\n', '\n')),
    min,
    max,
    unrulyIn(unrulyInLines),
  ).meta({ pattern: `^([^${unrulyInLines}]|\\r\\n)*$` })

/**
 * Any characters: for text that is compared and not shown, was not written by a person, or may be older than a
 * rule.
 */
export const anyText = (min: 0 | 1, max: number) => bounded(z.string(), min, max)

type Find = (text: string) => string | undefined

function unrulyIn(characters: string): Find {
  const one = new RegExp(`[${characters}]`)
  return text => one.exec(text)?.[0]
}

function bounded(string: z.ZodString, min: 0 | 1, max: number, refused?: Find) {
  return string
    .check(({ value, issues }) => {
      // A string has at most as many code points as UTF-16 units, so most need no counting.
      const length = value.length <= max ? value.length : [...value].length
      const bound = { origin: 'string', inclusive: true, input: value } as const
      if (length < min) issues.push({ code: 'too_small', minimum: min, ...bound })
      if (length > max) issues.push({ code: 'too_big', maximum: max, ...bound })
      const found = length > max ? undefined : refused?.(value)
      if (found === undefined) return
      const message = `must not contain the character ${codeOf(found)}`
      issues.push({ code: 'custom', message, input: value })
    })
    .meta({ minLength: min, maxLength: max })
}

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/**
 * A wire id `<prefix>_<rest>` (TypeID); lenient in the rest, so that an unknown id is not found rather than
 * malformed.
 */
export function wireId(prefix: string, maxLength = 64) {
  return z
    .string()
    .max(maxLength)
    .regex(new RegExp(`^${prefix}_[0-9A-Za-z_-]+$`), `must be an id of the form ${prefix}_<id>`)
}

/** An id in a path: lenient, so that an unknown id is not found rather than malformed. */
export const pathId = z
  .string()
  .regex(/^[0-9A-Za-z_-]{1,100}$/, 'must be an id of at most 100 letters, digits, - and _')

/**
 * The last second of the year 9999: RFC 3339 has no years of five digits, and JavaScript has no much later dates.
 */
export const endOfTime = 253_402_300_799

const notUnixSeconds = 'must be Unix seconds, such as 1796083200'

/** A time as Unix seconds. All times of the contract have this maximum (`test/times.test.ts`). */
export const unixSecondsFrom = (min: number) =>
  z
    .int({
      error: ({ code, input }) =>
        code === 'invalid_type' && input !== undefined ? notUnixSeconds : undefined,
    })
    .min(min)
    .max(endOfTime)

export const unixSeconds = unixSecondsFrom(0)

export const createdAt = unixSeconds.describe('When it was created, in Unix seconds.')

export const idOf = (noun: string, prefix: IdPrefix) =>
  z.string().describe(`The id of the ${noun}, \`${prefix}_…\`.`)

export function queryInteger(min: number, max: number, fallback: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/, `must be an integer from ${min} to ${max}`)
    .transform(Number)
    .refine(n => n >= min && n <= max, `must be an integer from ${min} to ${max}`)
    .default(fallback)
    .meta({ type: 'integer', minimum: min, maximum: max, default: fallback, pattern: undefined })
}

export const querySeconds = z
  .string()
  .regex(/^\d{1,12}$/, notUnixSeconds)
  .transform(Number)
  .optional()
  .meta({ type: 'integer', minimum: 0, pattern: undefined })

/** A list of `min` to `max` items. A longer one is refused before its items are examined. */
export function list<Item extends z.ZodType>(item: Item, { min = 0, max }: { min?: number; max: number }) {
  const { $schema: _, ...items } = z.toJSONSchema(item, { io: 'input' })
  return z.array(z.unknown()).min(min).max(max).pipe(z.array(item).min(min).max(max)).meta({ items })
}

/** Query of every list: at most `limit` items, starting at an earlier answer's `next_cursor`. */
export const pageQuery = z.strictObject({
  limit: queryInteger(1, 100, 25).describe('The maximum number of items.'),
  cursor: z
    .string()
    .max(200)
    .regex(/^[A-Za-z0-9_-]+$/, 'must be the next_cursor of an earlier response')
    .optional()
    .describe('The `next_cursor` of an earlier response; absent: start from the beginning.'),
})

/** Query of lists that can be read from either end, or of a time, or by a text. A cursor is good for both ends. */
export const listQuery = pageQuery.extend({
  order: z
    .enum(['desc', 'asc'])
    .default('desc')
    .describe('`desc`: newest first. `asc`: oldest first, from the other end of the list.'),
  after: querySeconds.describe('Only what was created in this second or later.'),
  before: querySeconds.describe('Only what was created before this second.'),
})

export const searchText = text(1, 100).optional()

export function page<Item extends z.ZodType>(item: Item, order = 'newest first') {
  return z.object({
    data: z.array(item).describe(`The items of this page, ${order}; at most \`limit\`.`),
    next_cursor: z
      .string()
      .nullable()
      .describe('To be sent as `cursor` for the next page; null: this is the last.'),
  })
}

/** The body of an update: omitted fields stay the same, and at least one is present. */
export const change = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .strictObject(shape)
    .refine(body => Object.keys(body).length > 0, 'must contain at least one field to change')
    .meta({ minProperties: 1 })
