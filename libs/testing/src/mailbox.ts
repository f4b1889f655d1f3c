/** A real SMTP server that accepts and keeps messages, refuses them, or leaves its clients waiting. */
import { freePort } from '@svc/local/free-port'
import { SMTPServer } from 'smtp-server'

export interface Received {
  /** Recipients of the envelope. */
  readonly to: string[]
  readonly from: string
  /** Unfolded, keyed by lower-case name. */
  readonly headers: Map<string, string[]>
  readonly text: string
  /** '': it has none. */
  readonly html: string
  /** The secret of its link. */
  readonly token: string | undefined
}

export interface Mailbox {
  readonly url: string
  /** Every message that arrived completely, accepted or not. */
  readonly received: Received[]
  /** How many are being received now, and the highest number so far. */
  readonly open: { now: number; most: number }
  /** What to do with the next messages: `hold` answers when `release` is called. */
  behave(how: 'take' | 'refuse' | 'hold'): void
  release(): void
  stop(): Promise<void>
}

export async function startMailbox(credentials?: { user: string; pass: string }): Promise<Mailbox> {
  const received: Received[] = []
  const open = { now: 0, most: 0 }
  let behaviour: 'take' | 'refuse' | 'hold' = 'take'
  const held: (() => void)[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', ...(credentials ? [] : ['AUTH' as const])],
    authOptional: !credentials,
    onAuth: ({ username, password }, _session, done) =>
      username === credentials?.user && password === credentials?.pass
        ? done(null, { user: username })
        : done(new Error('no')),
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      open.now++
      open.most = Math.max(open.most, open.now)
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        const to = envelope.rcptTo.map(({ address }) => address)
        received.push({ to, from, ...parse(Buffer.concat(chunks).toString('utf8')) })
        const answer = () => {
          open.now--
          done(behaviour === 'refuse' ? Object.assign(new Error('not now'), { responseCode: 451 }) : null)
        }
        if (behaviour === 'hold') held.push(answer)
        else answer()
      })
    },
  })
  // A client may be killed in the middle.
  server.on('error', () => {})
  const port = await freePort()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const login = credentials ? `${credentials.user}:${credentials.pass}@` : ''
  return {
    url: `smtp://${login}127.0.0.1:${port}`,
    received,
    open,
    behave(how) {
      behaviour = how
    },
    release() {
      behaviour = 'take'
      for (const answer of held.splice(0)) answer()
    },
    stop: () => new Promise(resolve => server.close(resolve)),
  }
}

type Headers = Map<string, string[]>

function parse(raw: string) {
  const end = raw.indexOf('\r\n\r\n')
  const headers = readHeaders(raw.slice(0, end))
  const { text, html } = partsOf(headers, raw.slice(end + 4))
  return { headers, text, html, token: /\/verify\?token=([0-9A-Za-z]{32})\b/.exec(text)?.[1] }
}

function readHeaders(raw: string): Headers {
  const headers: Headers = new Map()
  for (const line of raw.replace(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const at = line.indexOf(':')
    const name = line.slice(0, at).toLowerCase()
    headers.set(name, [...(headers.get(name) ?? []), line.slice(at + 1).trim()])
  }
  return headers
}

/** Text alone, or text and HTML of which a mail program shows one. */
function partsOf(headers: Headers, body: string): { text: string; html: string } {
  const type = headers.get('content-type')?.[0] ?? ''
  const [, boundary] = /^multipart\/alternative;.*boundary="?([^";]+)/.exec(type) ?? []
  if (boundary === undefined) return { text: decoded(headers, body), html: '' }
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map(part => {
      const end = part.indexOf('\r\n\r\n')
      const own = readHeaders(part.slice(2, end))
      return [own.get('content-type')?.[0] ?? '', decoded(own, part.slice(end + 4))] as const
    })
  const partOf = (wanted: string) => parts.find(([found]) => found.startsWith(wanted))?.[1] ?? ''
  return { text: partOf('text/plain'), html: partOf('text/html') }
}

function decoded(headers: Headers, body: string): string {
  const encoding = headers.get('content-transfer-encoding')?.[0]
  const text = encoding === 'quoted-printable' ? unquoted(body) : encoding === 'base64' ? unbased(body) : body
  return text.replaceAll('\r\n', '\n').trimEnd()
}

const unquoted = (text: string) =>
  Buffer.from(
    text
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

const unbased = (text: string) => Buffer.from(text, 'base64').toString('utf8')
