/** A server of this machine that tests may ill-treat. */
export type ServerHandle = {
  readonly url: string
  readonly port: number
  readonly pid: number
  running(): boolean
  /** Asks it to end, waits until it has, and insists where it does not. */
  stop(): Promise<void>
  /** Sends a signal, and does not wait for what comes of it but with SIGSTOP, after which it stands still. */
  kill(signal: NodeJS.Signals): Promise<void>
  /** Ends it where it still runs and starts it again on the same port, with the same data. */
  restart(): Promise<void>
}
