import { Levels } from './levels.ts'

export interface Share {
  held: number
  waiting: number
}

/** Shares that wait, ordered by their slots and by their waiting jobs. */
export class Among<Of extends Share> {
  readonly #byHeld = new Levels<Of>()
  readonly #byWaiting = new Levels<Of>()
  size = 0

  get next() {
    return this.#byHeld.lowest()
  }
  get longest() {
    return this.#byWaiting.highest()
  }

  hold(one: Of, by: 1 | -1) {
    if (one.waiting > 0) this.#byHeld.take(one, one.held)
    one.held += by
    if (one.waiting > 0) this.#byHeld.put(one, one.held)
  }

  wait(one: Of, by: 1 | -1) {
    if (one.waiting > 0) this.#byWaiting.take(one, one.waiting)
    else {
      this.#byHeld.put(one, one.held)
      this.size++
    }
    one.waiting += by
    if (one.waiting > 0) this.#byWaiting.put(one, one.waiting)
    else {
      this.#byHeld.take(one, one.held)
      this.size--
    }
  }
}
