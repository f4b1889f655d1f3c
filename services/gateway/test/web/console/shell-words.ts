/** Lines of the console as a shell reads them. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { CallSpec } from '../../../src/web/console/forms/command-lines.ts'
import { type Element, readMarkup } from '../markup.ts'

const run = promisify(execFile)

const end = 'end of a line'
const functions = `
print() { printf '%s\\0' "$@" '${end}'; }
curl() { print "$@"; }
svc() { print "$@"; }
`

/**
 * The words that the command of each line gets, where `curl` and `svc` are functions that print them. Lines in which a file
 * stands in for a path are for bash.
 */
export async function wordsOfAll(
  lines: readonly string[],
  shell: 'sh' | 'bash',
  env: Readonly<Record<string, string>> = { SVC_TOKEN: 'token' },
): Promise<string[][]> {
  const options = shell === 'bash' ? ['--norc'] : []
  const { stdout, stderr } = await run(`/bin/${shell}`, [...options, '-c', functions + lines.join('\n')], {
    env: { PATH: '/nonexistent', ...env },
  })
  if (stderr) throw new Error(stderr)
  const found: string[][] = [[]]
  for (const word of stdout.split('\0')) {
    if (word === end) found.push([])
    else found.at(-1)?.push(word)
  }
  return found.slice(0, -1)
}

export const wordsOf = async (line: string): Promise<string[]> => (await wordsOfAll([line], 'sh'))[0] ?? []

/** The body that the words of a `curl` line send. */
export const sentBy = (words: readonly string[]): unknown => JSON.parse(words[words.indexOf('-d') + 1] ?? '')

export interface Lines {
  readonly curl: string
  readonly svc: string
  /** What the browser writes them from; undefined where there is no form. */
  readonly call: CallSpec | undefined
}

const textOf = (element: Element | undefined): string => element?.children.join('') ?? ''

/** Undefined: the page has none. */
export function linesIn(markup: string): Lines | undefined {
  const all = [...readMarkup(markup).all()]
  const line = (name: string) => textOf(all.find(one => one.getAttribute('data-line') === name))
  const [, call] = /class="call">([^<]*)</.exec(markup) ?? []
  if (!line('svc')) return undefined
  return { curl: line('curl'), svc: line('svc'), call: call ? JSON.parse(call) : undefined }
}
