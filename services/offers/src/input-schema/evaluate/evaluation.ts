// What the evaluation of values may take. Steps are counted, not time: so a value is accepted or refused on a slow machine
// as on a fast one.
import type { EvaluatedItems, EvaluatedProperties } from 'ajv/dist/types/index.js'
import type { ErrorObject } from 'ajv'

/** For the values of one offer or order: some 50 ms on a machine of 2026 with little to do, and far from the limit of time. */
export const MAX_STEPS = 500_000

/** What a definition answered for a part of a value. The errors are those that can be told of. */
export type Answer = {
  valid: boolean
  errors: ErrorObject[]
  props: EvaluatedProperties | undefined
  items: EvaluatedItems | undefined
}

/** The values take more steps to check than there are. */
export class TooExpensive extends Error {
  override name = 'TooExpensive'
}

/** The steps and the memory of whatever is evaluated by one compiled schema. Before the first run steps are free. */
export class Evaluation {
  readonly #maxSteps: number
  #left = Number.POSITIVE_INFINITY
  readonly #answers = new Map<object, Map<object, Answer>>()

  constructor(maxSteps = MAX_STEPS) {
    this.#maxSteps = maxSteps
  }

  /** Runs `check` with as many steps as there are. */
  run<T>(check: () => T): T {
    this.#left = this.#maxSteps
    try {
      return check()
    } finally {
      this.#answers.clear()
    }
  }

  /** @throws TooExpensive */
  spend(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) throw new TooExpensive()
  }

  /** For what looks at the whole of a text, at all names of an object or at all items of a list. */
  spendOn(value: unknown): void {
    if (typeof value === 'string') this.spend(value.length >> 4)
    else if (Array.isArray(value)) this.spend(2 * value.length)
    else if (typeof value === 'object' && value !== null) this.spend(Object.keys(value).length)
  }

  /** What a definition answered in this run, by object or array of the values. */
  answersOf(definition: object): Map<object, Answer> {
    const known = this.#answers.get(definition)
    if (known) return known
    const answers = new Map<object, Answer>()
    this.#answers.set(definition, answers)
    return answers
  }

  /** By the last run. */
  get spent(): number {
    return this.#maxSteps - this.#left
  }

  get exceeded(): boolean {
    return this.#left < 0
  }
}
