import type { z } from 'zod'
import type { Scene } from '../shell/scene.ts'

/** Drops empty and invalid choices, so that an edited URL still shows the list. */
export function queryOf({ query }: Scene, schema: z.ZodObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(schema.shape).flatMap(([name, part]) => {
      const value = query.get(name)
      return value && (part as z.ZodType).safeParse(value).success ? [[name, value]] : []
    }),
  )
}
