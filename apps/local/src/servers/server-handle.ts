export type ServerHandle = {
  readonly url: string
  readonly port: number
  readonly pid: number
  running(): boolean
  stop(): Promise<void>
  /** Sends a signal. Does not wait for its effect, except with SIGSTOP, after which the server is frozen. */
  kill(signal: NodeJS.Signals): Promise<void>
  restart(): Promise<void>
}
