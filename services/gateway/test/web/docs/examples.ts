/** Examples in Markdown pages, and comparison of answers except for what differs from run to run. */
import { expect } from 'vitest'

export interface Block {
  readonly language: string
  readonly code: string
}

export const blocksOf = (markdown: string): Block[] =>
  [...markdown.matchAll(/^```([a-z ]+)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({
    language,
    code,
  }))

/** Blocks in these languages that follow each other do the same. */
export const ways = ['sh', 'ts', 'svc'] as const
export type Way = (typeof ways)[number]

/** What a reader does at once, and the answer that the page shows. */
export interface Step {
  readonly code: Readonly<Partial<Record<Way, string>>>
  readonly answer: Block
}

export function stepsOf(blocks: readonly Block[]): Step[] {
  const steps: Step[] = []
  let code: Partial<Record<Way, string>> = {}
  for (const block of blocks) {
    const way = ways.find(one => one === block.language)
    if (way && code[way] === undefined) {
      code[way] = block.code
      continue
    }
    if (way) throw new Error(`There is no answer before: ${block.code}`)
    if (Object.keys(code).length > 0) steps.push({ code, answer: block })
    code = {}
  }
  if (Object.keys(code).length > 0) throw new Error(`There is no answer to: ${Object.values(code)[0]}`)
  return steps
}

/** What a block shows or a command has printed: JSON, an HTTP answer, or text. */
export function readAnswer(text: string, language: string): unknown {
  if (language === 'text') return text.trim()
  if (language === 'json') return JSON.parse(text)
  const [head = '', body = ''] = text.trim().split(/\r?\n\r?\n/)
  const [status, ...lines] = head.split(/\r?\n/)
  const headers = lines.map(line => {
    const at = line.indexOf(':')
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
  })
  return {
    status: status?.trim(),
    headers: Object.fromEntries(headers),
    body: body ? JSON.parse(body) : undefined,
  }
}

/**
 * Compares as the pages mean it: `…` stands for any text, and a time for any time. Everything else must be as shown.
 * Only the headers that are shown are compared.
 */
export function expectLike(actual: unknown, shown: unknown, about: string) {
  expect(actual, about).toEqual(pattern(shown, actual))
}

/** Unix seconds of this century. */
const isTime = (value: unknown) => typeof value === 'number' && value > 1e9 && value < 1e10

function pattern(shown: unknown, actual: unknown): unknown {
  if (isTime(shown)) return isTime(actual) ? actual : expect.any(Number)
  if (typeof shown === 'string' && shown.includes('…')) {
    return expect.stringMatching(new RegExp(`^${shown.split('…').map(quoted).join('.+')}$`, 's'))
  }
  if (Array.isArray(shown)) return shown.map((item, index) => pattern(item, at(actual, index)))
  if (!shown || typeof shown !== 'object') return shown
  const entries = Object.entries(shown).map(([key, value]) => {
    const like = pattern(value, at(actual, key))
    return [key, key === 'headers' && 'status' in shown ? expect.objectContaining(like as object) : like]
  })
  return Object.fromEntries(entries)
}

const at = (value: unknown, key: string | number): unknown =>
  (value as Record<string, unknown> | undefined)?.[key]
const quoted = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
