/** What a search finds (docs/specification.md, R78). Each service searches what is its own. */
import * as z from 'zod'
import { internalForWorkspace } from './access.ts'
import type { Operation } from './operation.ts'
import { anyText } from './text.ts'

export const matchKinds = {
  offers: ['product', 'package', 'offer', 'order', 'install'],
  compute: ['cluster'],
  'auth-tokens': ['api_token', 'member'],
  activity: ['webhook_endpoint'],
} as const

export const allMatchKinds = Object.values(matchKinds).flat()
export type MatchKind = (typeof allMatchKinds)[number]

export const kind = z.enum(allMatchKinds as [MatchKind, ...MatchKind[]])

export const matchesOfKind = 5
export const maxWords = 6

export const matches = z.object({
  data: z
    .array(
      z.object({
        kind: kind.describe('What it is.'),
        id: z.string().describe('Its id.'),
        name: z.string().describe('Reference of an order, address of a member.'),
        detail: z.string().nullable().describe('What distinguishes it.'),
      }),
    )
    .describe(`At most ${matchesOfKind} of a kind, newest first.`),
  more: z.array(kind).describe('Kinds of which there are more.'),
})
export type Matches = z.infer<typeof matches>
export type Match = Matches['data'][number]

export const matchOperations = {
  list_matches: {
    summary: 'List what has words that begin as given',
    access: internalForWorkspace,
    body: z.strictObject({ words: z.array(anyText(1, 40)).min(1).max(maxWords) }),
    output: matches,
    errors: [],
    safe: true,
  },
} as const satisfies Record<string, Operation>

/** @param found newest first; one more than is shown tells that there are more */
export const matchesOf = (kind: MatchKind, found: readonly Omit<Match, 'kind'>[]): Matches => ({
  data: found.slice(0, matchesOfKind).map(({ id, name, detail }) => ({ kind, id, name, detail })),
  more: found.length > matchesOfKind ? [kind] : [],
})

export const allMatches = (parts: readonly Matches[]): Matches => ({
  data: parts.flatMap(({ data }) => data),
  more: parts.flatMap(({ more }) => more),
})
