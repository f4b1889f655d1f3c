/** Commands of a shell script that are executed in the test's process, since starting one takes time. */
import { createServer, type Socket } from 'node:net'
import { freePort } from '@svc/local/free-port'
import type { Ended } from './svc-process.ts'

export type Command = (args: readonly string[], input: string) => Promise<Ended>

export interface CommandServer {
  /** The command as a bash function, with or without standard input. */
  script(name: string, reads?: 'reads'): string
  close(): void
}

/** In both directions words end with a zero byte: their number, the name, the input and the arguments. */
export async function serveCommands(commands: Readonly<Record<string, Command>>): Promise<CommandServer> {
  const port = await freePort()
  const server = createServer(socket => void answer(socket))
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))

  async function answer(socket: Socket) {
    const [name = '', input = '', ...args] = await wordsFrom(socket)
    const ended = await commands[name]?.(args, input).catch(error => ({
      code: 70,
      out: '',
      err: `${error}\n`,
    }))
    const { code, out, err } = ended ?? { code: 127, out: '', err: `There is no ${name}.\n` }
    socket.end(`${code}\0${out}\0${err}\0`)
  }

  return {
    script: (name, reads) =>
      [
        reads ? 'input=$(cat)' : 'input=',
        `exec 3<>/dev/tcp/127.0.0.1/${port} || exit 69`,
        `printf '%s\\0' $(($# + 2)) ${name} "$input" "$@" >&3`,
        ...['code', 'out', 'err'].map(word => `IFS= read -r -d '' ${word} <&3 || exit 69`),
        'printf %s "$err" >&2',
        'printf %s "$out"',
        'exit "$code"',
      ].join('\n'),
    close: () => server.close(),
  }
}

function wordsFrom(socket: Socket): Promise<string[]> {
  return new Promise((resolve, reject) => {
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      const [count, ...words] = text.split('\0')
      if (words.length > Number(count)) resolve(words.slice(0, -1))
    })
    socket.once('error', reject).once('end', () => reject(new Error('The command broke off.')))
  })
}
