/** What waits, by tenant: each has its turn, in which one item of it goes, however many it has. */
export class Turns<Item extends { readonly tenant: string }> {
  /** In the order of their turns. */
  readonly #byTenant = new Map<string, Item[]>()
  #size = 0

  get size() {
    return this.#size
  }

  add(item: Item): void {
    this.#size++
    const others = this.#byTenant.get(item.tenant)
    if (others) others.push(item)
    else this.#byTenant.set(item.tenant, [item])
  }

  /** The next item that fits; its tenant goes behind the others. */
  next(fits: (item: Item) => boolean): Item | undefined {
    for (const items of this.#byTenant.values()) {
      const item = items.find(fits)
      if (!item) continue
      this.remove(item)
      const left = this.#byTenant.get(item.tenant)
      if (left) {
        this.#byTenant.delete(item.tenant)
        this.#byTenant.set(item.tenant, left)
      }
      return item
    }
    return undefined
  }

  remove(item: Item): void {
    const items = this.#byTenant.get(item.tenant)
    const at = items?.indexOf(item) ?? -1
    if (!items || at < 0) return
    this.#size--
    items.splice(at, 1)
    if (items.length === 0) this.#byTenant.delete(item.tenant)
  }

  /** The newest of whoever has most, if that is more than `tenant` would have with one more. */
  newestOfLongest(tenant: string): Item | undefined {
    let longest = this.#byTenant.get(tenant) ?? []
    for (const items of this.#byTenant.values()) if (items.length > longest.length + 1) longest = items
    return longest[0]?.tenant === tenant ? undefined : longest.at(-1)
  }

  all(): Item[] {
    return [...this.#byTenant.values()].flat()
  }
}
