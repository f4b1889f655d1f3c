import type { Evaluation } from './evaluation.ts'
import { RE2JS, RE2JSException } from 're2js'
import { type Problem, problem, quote } from '../problem.ts'
import type { SchemaTree } from '../check/schema-tree.ts'

// Each takes some 300 bytes, and the time of matching is proportional to their number.
export const maxInstructions = 10_000

/** A regular expression that matches in time linear in its input: it never backtracks. */
export class LinearPattern {
  readonly #source: string
  readonly #compiled: RE2JS
  readonly #evaluation: Evaluation | undefined
  // Measured: mostly up to 0.2 µs per character, and 1 µs with 2,000 instructions in parallel.
  readonly #stepsPerCharacter: number

  /** @throws RE2JSException for a pattern that cannot be matched in linear time: lookaround and back references */
  constructor(source: string, evaluation?: Evaluation) {
    this.#source = source
    this.#evaluation = evaluation
    this.#compiled = RE2JS.compile(RE2JS.translateRegExp(source))
    this.#stepsPerCharacter = 2 + (this.size >> 6)
  }

  get size(): number {
    return this.#compiled.programSize()
  }

  test(text: string): boolean {
    this.#evaluation?.spend(text.length * this.#stepsPerCharacter)
    return this.#compiled.test(text)
  }

  // ajv caches compiled patterns by this string. Without it every pattern would be '[object Object]', and the first one of a
  // schema would be used for all of them.
  toString(): string {
    return this.#source
  }
}

export const linearPatterns = (evaluation: Evaluation) =>
  Object.assign((source: string) => new LinearPattern(source, evaluation), {
    // ajv requires it, but uses it only in standalone code, which is never generated here.
    code: 'linearPatterns',
  })

/**
 * Every `pattern` and every key of `patternProperties` must compile without backtracking, and all of them together to at most
 * `maxInstructions`, since ten characters can repeat something a thousand times.
 */
export function patternProblems({ nodes }: SchemaTree): Problem[] {
  const problems: Problem[] = []
  let size = 0
  for (const { schema, path, children } of nodes) {
    if (typeof schema === 'boolean') continue
    if (Object.hasOwn(schema, 'pattern')) check(schema.pattern as string, [...path, 'pattern'])
    for (const { keyword, key, node } of children) {
      if (keyword === 'patternProperties' && key !== undefined) check(key, node.path)
    }
  }
  return problems

  function check(source: string, path: string[]) {
    // The pattern that exceeded the limit has been reported, and the others are not worth the time.
    if (size > maxInstructions) return
    try {
      size += new LinearPattern(source).size
      if (size > maxInstructions)
        problems.push(problem(path, 'is too large a pattern: use fewer repetitions and alternatives'))
    } catch (error) {
      if (!(error instanceof RE2JSException)) throw error
      const why = quote(error.message.replace('error parsing regexp: ', ''))
      problems.push(problem(path, `must be a regular expression in RE2 syntax, without lookaround: ${why}`))
    }
  }
}
