/** The query of a page that lists: what the operation knows of it, and is valid. */
import type { z } from 'zod'
import type { Scene } from '../shell/scene.ts'

/** Choices that are empty or not valid are left out: an address that somebody has altered shows the list all the same. */
export function queryOf({ query }: Scene, schema: z.ZodObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(schema.shape).flatMap(([name, part]) => {
      const value = query.get(name)
      return value && (part as z.ZodType).safeParse(value).success ? [[name, value]] : []
    }),
  )
}
