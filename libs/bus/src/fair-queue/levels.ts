/**
 * Items ordered by a small integer, with cheap access to the minimum and the maximum. On a tie, the oldest comes
 * first.
 */
export class Levels<Item> {
  readonly #levels: Set<Item>[] = []

  put(item: Item, level: number): void {
    while (this.#levels.length <= level) this.#levels.push(new Set())
    this.#levels[level]?.add(item)
  }

  take(item: Item, level: number): void {
    this.#levels[level]?.delete(item)
    while (this.#levels.at(-1)?.size === 0) this.#levels.pop()
  }

  lowest(): Item | undefined {
    for (const level of this.#levels) for (const item of level) return item
    return undefined
  }

  highest(): Item | undefined {
    for (const item of this.#levels.at(-1) ?? []) return item
    return undefined
  }
}
