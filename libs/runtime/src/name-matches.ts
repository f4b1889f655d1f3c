/** Search in what a workspace has at most some thousands of: their names are read and compared here. */
import { type Matches, type MatchKind, matchesOf } from '@svc/contract/core/matches'
import { beginWords, wordsOf } from '@svc/contract/core/words'

/** The newest ones of each kind are searched. No quota is above it, unless the operator raises one. */
export const maxNames = 5000

export interface Named {
  readonly id: string
  readonly name: string
  readonly detail?: string | null
}

export const nameMatches = (kind: MatchKind, words: readonly string[], rows: readonly Named[]): Matches =>
  matchesOf(
    kind,
    rows
      .filter(({ name, detail }) => beginWords(words, wordsOf(name, detail)))
      .map(({ id, name, detail }) => ({ id, name, detail: detail || null })),
  )
