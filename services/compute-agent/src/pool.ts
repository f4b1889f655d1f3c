/** The machines of one cluster, behind one interface for every kind of them. */

/** The limits of a pool. */
export interface Limits {
  /** Inactive: the number of machines stays as it is, except for those above `max_machines`. */
  readonly auto_scaling: 'active' | 'inactive'
  /** While auto-scaling is active; never above `max_machines`. */
  readonly min_machines: number
  /** A pool that has more drains down to it. */
  readonly max_machines: number
}

export interface Pool {
  /** How many machines there are now, including those starting or stopping. */
  read(): Promise<{ machines: number }>
  /**
   * Moves the pool towards the limits. Called repeatedly with the same ones: what is already right is not
   * touched.
   */
  apply(limits: Limits): Promise<void>
  /**
   * Calls `onChange` when the pool may have changed: too often rather than too seldom.
   *
   * @returns ends it
   */
  watch(onChange: () => void): () => void
}
