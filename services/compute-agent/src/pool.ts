export interface Limits {
  /** Inactive: the number of machines stays as it is, except for those above `max_machines`. */
  readonly auto_scaling: 'active' | 'inactive'
  readonly min_machines: number
  /** A pool with more machines drains down to it. */
  readonly max_machines: number
}

export interface Pool {
  read(): Promise<{ machines: number }>
  /** Moves the pool towards the limits. Can be called repeatedly: it changes only what differs. */
  apply(limits: Limits): Promise<void>
  /**
   * Calls `onChange` when the pool may have changed: too often rather than too seldom.
   *
   * @returns a function that stops it
   */
  watch(onChange: () => void): () => void
}
