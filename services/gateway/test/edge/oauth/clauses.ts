/** A specification as a table of clauses, each with a proof that it holds. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@svc/local/repo-root'
import { expect, test } from 'vitest'

export type Level =
  | 'MUST'
  | 'MUST NOT'
  | 'REQUIRED'
  | 'SHOULD'
  | 'RECOMMENDED'
  | 'NOT RECOMMENDED'
  | 'OPTIONAL'

export type Proof =
  | (() => Promise<void>)
  /** A test of another file, by the beginning of its title. */
  | { readonly file: string; readonly title: string }
  /** Why it does not concern this server. */
  | { readonly notHere: string }

export type Clause = readonly [section: string, level: Level, inOwnWords: string, proof: Proof]

/** One test for each clause that concerns this server. */
export function testClauses(specification: string, clauses: readonly Clause[]) {
  for (const [section, level, says, proof] of clauses) {
    const name = `${specification}, ${section}, ${level}: ${says}`
    if (typeof proof === 'function') test(name, proof)
    else if ('file' in proof) test(`${name} (${proof.file})`, () => expectTest(proof.file, proof.title))
  }
}

function expectTest(file: string, title: string) {
  const source = readFileSync(join(repoRoot, file), 'utf8')
  // The title of a test, or the first column of a row of `test.each`.
  const calls = source.matchAll(/(?:\btest\(|\]\)\(|\)\(|\btest\.each\(\w+\)\(|\[)\s*['"`]([^'"`]*)/g)
  expect([...calls].map(([, found]) => found).filter(found => found?.startsWith(title))).toHaveLength(1)
}
