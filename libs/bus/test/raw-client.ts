/** Speaks the NATS protocol by hand, for what no client library would send. */
import { type Socket, connect } from 'node:net'
import type { BusAccess } from '@svc/local/bus-access'

export interface RawClient {
  /** Sends lines as they are. A payload is a separate line. */
  send(...lines: string[]): void
  /** What the server has sent since the last call, up to its answer to a PING sent now. */
  said(): Promise<string[]>
  /** Sends each of the commands, and returns the server's answer to each. */
  saidToEach(commands: string[][]): Promise<string[][]>
  close(): void
}

/**
 * In what the server said, that the user was not admitted. Where nobody answers who that is, two timers of the server of the same
 * length end the wait, each in its own words.
 */
export const notAdmitted = /-ERR 'Auth(orization Violation|entication Timeout)'/

/** Connects as that user. A refusal shows in the first `said()`, or in the end of the connection. */
export async function rawClient({
  NATS_URL,
  NATS_USER,
  NATS_PASSWORD,
}: Partial<BusAccess>): Promise<RawClient> {
  const { hostname, port } = new URL(NATS_URL ?? '')
  const socket: Socket = connect(Number(port), hostname)
  const lines: string[] = []
  let partial = ''
  let ended = false
  let wake = () => {}
  socket.setEncoding('latin1').setNoDelay(true)
  socket.on('data', (chunk: string) => {
    const parts = (partial + chunk).split('\r\n')
    partial = parts.pop() ?? ''
    for (const line of parts) line === 'PING' ? socket.write('PONG\r\n') : lines.push(line)
    wake()
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    ended = true
    wake()
  })
  const send = (...sent: string[]) => void socket.write(sent.map(line => `${line}\r\n`).join(''))
  send(
    `CONNECT ${JSON.stringify({ user: NATS_USER, pass: NATS_PASSWORD, headers: true, no_responders: true, lang: 'raw', version: '1', verbose: false, pedantic: false, protocol: 0 })}`,
  )
  async function saidToEach(commands: string[][]): Promise<string[][]> {
    send(...commands.flatMap(command => [...command, 'PING']))
    const answers: string[][] = []
    while (answers.length < commands.length) {
      const end = lines.indexOf('PONG')
      if (end >= 0) answers.push(lines.splice(0, end + 1).slice(0, -1))
      else if (ended) answers.push(lines.splice(0))
      else await new Promise<void>(resolve => (wake = resolve))
    }
    return answers
  }
  return {
    send,
    saidToEach,
    said: async () => (await saidToEach([[]]))[0] ?? [],
    close: () => void socket.destroy(),
  }
}
