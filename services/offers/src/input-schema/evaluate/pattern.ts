import type { Evaluation } from './evaluation.ts'
import { RE2JS, RE2JSException } from 're2js'
import { type Problem, problem, quote } from '../problem.ts'
import type { SchemaTree } from '../check/schema-tree.ts'

// Each takes some 300 bytes, and matching takes time in proportion to them.
export const MAX_INSTRUCTIONS = 10_000

/** A regular expression that matches in time linear in its input: it never backtracks. */
export class LinearPattern {
  readonly #source: string
  readonly #compiled: RE2JS

  readonly #evaluation: Evaluation | undefined
  // Measured: mostly up to 0.2 µs for a character, and 1 µs where 2,000 instructions have to be kept in step.
  readonly #stepsPerCharacter: number

  /** Throws `RE2JSException` for what RE2 has no linear answer to: lookaround and back references. */
  constructor(source: string, evaluation?: Evaluation) {
    this.#source = source
    this.#evaluation = evaluation
    this.#compiled = RE2JS.compile(RE2JS.translateRegExp(source))
    this.#stepsPerCharacter = 2 + (this.size >> 6)
  }

  /** How many instructions it was compiled to. */
  get size(): number {
    return this.#compiled.programSize()
  }

  test(text: string): boolean {
    this.#evaluation?.spend(text.length * this.#stepsPerCharacter)
    return this.#compiled.test(text)
  }

  // ajv keeps compiled patterns under this key: without it every pattern is '[object Object]', and so the
  // first one of a schema would be used for all of them.
  toString(): string {
    return this.#source
  }
}

/** ajv's `code.regExp`. */
export const linearPatterns = (evaluation: Evaluation) =>
  Object.assign((source: string) => new LinearPattern(source, evaluation), {
    // Only used in standalone code, which is never generated here; ajv wants it to be set.
    code: 'linearPatterns',
  })

/**
 * Every `pattern`, and every key of `patternProperties`, compiles without backtracking, and all of them together
 * to at most `MAX_INSTRUCTIONS`: a repetition of ten characters may stand for a thousand copies.
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
    // The first one over the limit was reported, and the rest is not worth the time.
    if (size > MAX_INSTRUCTIONS) return
    try {
      size += new LinearPattern(source).size
      if (size > MAX_INSTRUCTIONS)
        problems.push(problem(path, 'is too large a pattern: use fewer repetitions and alternatives'))
    } catch (error) {
      if (!(error instanceof RE2JSException)) throw error
      const why = quote(error.message.replace('error parsing regexp: ', ''))
      problems.push(problem(path, `must be a regular expression in RE2 syntax, without lookaround: ${why}`))
    }
  }
}
