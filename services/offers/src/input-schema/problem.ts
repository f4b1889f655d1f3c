/** One thing to mend: `path` leads to the place, `message` says what it must be. */
export type Problem = {
  path: string[]
  message: string
  /** Where the schema has no such property at all: the name is wrong, and not its value. */
  unknown?: true
}

/** What was refused, and why. Never empty, at most `MAX_PROBLEMS`. */
export type Refusal = { ok: false; problems: Problem[] }

export const MAX_PROBLEMS = 50

// A property name may be as long as the whole schema, and would be repeated in every problem below it.
const MAX_TOKEN = 200
const MAX_QUOTED = 60
const MAX_LISTED = 10

/** A problem whose text stays small, whatever the names in it are. */
export function problem(path: string[], message: string): Problem {
  return { path: path.map(token => clip(token, MAX_TOKEN)), message }
}

/** The first `MAX_PROBLEMS` of what was found. */
export function refusal(problems: Problem[]): Refusal {
  return { ok: false, problems: problems.slice(0, MAX_PROBLEMS) }
}

/** Any JSON value as a short piece of a message: strings as they are (but for the empty one), the rest as JSON. */
export function quote(value: unknown): string {
  const plain = typeof value === 'string' && value !== ''
  return clip(plain ? value : JSON.stringify(value), MAX_QUOTED)
}

/** The first ten of some values, and how many more there are. */
export function list(values: Iterable<unknown>): string {
  const shown: string[] = []
  let more = 0
  for (const value of values) {
    if (shown.length < MAX_LISTED) shown.push(quote(value))
    else more++
  }
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}

function clip(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
}
