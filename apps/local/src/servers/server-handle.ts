/** A server on this machine that tests can freeze and kill. */
export type ServerHandle = {
  readonly url: string
  readonly port: number
  readonly pid: number
  running(): boolean
  /** Asks it to end, waits, and kills it if it does not. */
  stop(): Promise<void>
  /** Sends a signal. Does not wait for its effect, except with SIGSTOP, after which the server is frozen. */
  kill(signal: NodeJS.Signals): Promise<void>
  /** Ends it if it still runs, and starts it again on the same port with the same data. */
  restart(): Promise<void>
}
