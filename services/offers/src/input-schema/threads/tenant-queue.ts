/** Serves tenants in turn, one item at a time, however many items each of them has. */
export class TenantQueue<Item extends { readonly tenant: string }> {
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

  /** Takes the next item that fits. Its tenant goes to the end of the line. */
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
    const index = items?.indexOf(item) ?? -1
    if (!items || index < 0) return
    this.#size--
    items.splice(index, 1)
    if (items.length === 0) this.#byTenant.delete(item.tenant)
  }

  /** The newest item of the tenant with the most items, if that is more than `tenant` would have with one more. */
  newestOfLongest(tenant: string): Item | undefined {
    let longest = this.#byTenant.get(tenant) ?? []
    for (const items of this.#byTenant.values()) if (items.length > longest.length + 1) longest = items
    return longest[0]?.tenant === tenant ? undefined : longest.at(-1)
  }

  all(): Item[] {
    return [...this.#byTenant.values()].flat()
  }
}
