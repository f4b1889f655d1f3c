export interface Surroundings {
  readonly env: NodeJS.ProcessEnv
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  readonly signal: AbortSignal
}

export interface GlobalOptions {
  readonly json?: boolean
  readonly baseUrl?: string
  readonly workspace?: string
  readonly timeout?: number
}

export const limitsOf = ({ timeout }: GlobalOptions) =>
  timeout !== undefined && { timeoutMs: timeout, attemptTimeoutMs: timeout }

export interface CommandLine extends Surroundings {
  options: GlobalOptions
  baseUrl?: string
  readonly secrets: Set<string>
}
