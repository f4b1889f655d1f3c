export interface Problem {
  readonly path: string[]
  /** Continues a sentence that begins with the name: `must be string`. */
  readonly message: string
  /** The schema has no such property: the name is wrong, not its value. */
  readonly unknown?: true
}

export interface Refusal {
  readonly ok: false
  readonly problems: Problem[]
}

export const maxProblems = 50

// A property name may be as long as the whole schema, and would be repeated in every problem below it.
const maxTokenLength = 200
const maxQuotedLength = 60
const maxListed = 10

export function problem(path: string[], message: string): Problem {
  return { path: path.map(token => clip(token, maxTokenLength)), message }
}

export function refusal(problems: Problem[]): Refusal {
  return { ok: false, problems: problems.slice(0, maxProblems) }
}

export const isRefusal = (result: unknown): result is Refusal => Object.hasOwn(Object(result), 'ok')

/**
 * Any JSON value, clipped for a message. Strings are quoted as they are (except the empty one), everything else as
 * JSON.
 */
export function quote(value: unknown): string {
  const plain = typeof value === 'string' && value !== ''
  return clip(plain ? value : JSON.stringify(value), maxQuotedLength)
}

export function list(values: Iterable<unknown>): string {
  const shown: string[] = []
  let more = 0
  for (const value of values) {
    if (shown.length < maxListed) shown.push(quote(value))
    else more++
  }
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}

function clip(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
}
