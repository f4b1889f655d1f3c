/**
 * The budget for evaluating values. It counts steps rather than time, so that slow and fast machines accept the
 * same values.
 */
import type { EvaluatedItems, EvaluatedProperties } from 'ajv/dist/types/index.js'
import type { ErrorObject } from 'ajv'

/** For the values of one offer or order: some 50 ms on an idle machine of 2026, far below the time limit. */
export const defaultMaxSteps = 500_000

export interface Result {
  readonly valid: boolean
  readonly errors: ErrorObject[]
  readonly props: EvaluatedProperties | undefined
  readonly items: EvaluatedItems | undefined
}

export class TooExpensive extends Error {
  override name = 'TooExpensive'
}

/** The steps and the cached results of one compiled schema. Before the first run, steps are free. */
export class Evaluation {
  readonly #maxSteps: number
  #left = Number.POSITIVE_INFINITY
  readonly #results = new Map<object, Map<object, Result>>()

  constructor(maxSteps = defaultMaxSteps) {
    this.#maxSteps = maxSteps
  }

  run<T>(check: () => T): T {
    this.#left = this.#maxSteps
    try {
      return check()
    } finally {
      this.#results.clear()
    }
  }

  spend(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) throw new TooExpensive()
  }

  /**
   * For a keyword that reads all of a string, all names of an object or all items of a list.
   *
   * @throws TooExpensive
   */
  spendOn(value: unknown): void {
    if (typeof value === 'string') this.spend(value.length >> 4)
    else if (Array.isArray(value)) this.spend(2 * value.length)
    else if (typeof value === 'object' && value !== null) this.spend(Object.keys(value).length)
  }

  resultsOf(definition: object): Map<object, Result> {
    const earlier = this.#results.get(definition)
    if (earlier) return earlier
    const results = new Map<object, Result>()
    this.#results.set(definition, results)
    return results
  }

  get spent(): number {
    return this.#maxSteps - this.#left
  }

  get exceeded(): boolean {
    return this.#left < 0
  }
}
