/** What an agent holds to the settings: the machines of one cluster, behind one interface for every kind of them. */

/** What a pool is held to. */
export interface Limits {
  /** Inactive: the number of machines stays as it is, but for what is above `max_machines`. */
  readonly auto_scaling: 'active' | 'inactive'
  /** While auto-scaling is active; never above `max_machines`. */
  readonly min_machines: number
  /** A pool that has more drains down to it. */
  readonly max_machines: number
}

export interface Pool {
  /** How many machines there are now, those that come or go among them. */
  read(): Promise<{ machines: number }>
  /** Brings the pool on its way. Called again and again with the same limits: what is so already is not touched. */
  apply(limits: Limits): Promise<void>
  /**
   * Calls `onChange` when the pool may have changed: rather once too often than once too seldom.
   *
   * @returns ends it
   */
  watch(onChange: () => void): () => void
}
