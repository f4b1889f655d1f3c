/** What a command line is run with, and what is known of it. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  /** Aborted when the person or the system wants an end. */
  readonly signal: AbortSignal
}

export interface GlobalOptions {
  readonly json?: boolean
  readonly baseUrl?: string
  readonly workspace?: string
  /** Milliseconds for one call with its repetitions. */
  readonly timeout?: number
}

/** The time-outs of one call. */
export const limitsOf = ({ timeout }: GlobalOptions) =>
  timeout !== undefined && { timeoutMs: timeout, attemptTimeoutMs: timeout }

export interface CommandLine extends Surroundings {
  /** Known once it is parsed. */
  options: GlobalOptions
  /** Where it calls; known once it has been looked for. */
  baseUrl?: string
  /** Never printed, wherever they turn up. */
  readonly secrets: Set<string>
}
