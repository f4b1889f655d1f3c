import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One shell, whose variables and functions stay from command to command as in a person's terminal. */
export class Shell {
  private readonly child
  private output = ''

  constructor(cwd: string) {
    this.child = spawn('bash', ['--noprofile', '--norc'], { cwd, stdio: ['pipe', 'pipe', 'inherit'] })
    this.child.stdout.setEncoding('utf8').on('data', chunk => {
      this.output += chunk
    })
  }

  /** @returns what it printed @throws Error with that, if its last command failed */
  async run(commands: string): Promise<string> {
    this.output = ''
    // Not the shell's own input, which would be read by a command in place of the next line.
    this.child.stdin.write(`set -o pipefail; {\n${commands}\n} </dev/null 2>&1; echo "end of commands: $?"\n`)
    const deadline = AbortSignal.timeout(150_000)
    for (;;) {
      const [, printed, status] = /^(.*)end of commands: (\d+)\n$/s.exec(this.output) ?? []
      if (status === '0') return printed ?? ''
      if (status) throw new Error(`${commands}\n${printed}`)
      await once(this.child.stdout, 'data', { signal: deadline }).catch(() => {
        throw new Error(`It takes too long:\n${commands}\n${this.output}`)
      })
    }
  }

  close() {
    this.child.kill('SIGKILL')
  }
}

/** The shell commands of a section of a page, one text for each block; a heading that is not lower ends the section. */
export function commandsOf(project: string, page: string, heading: string): string[] {
  const text = readFileSync(join(project, page), 'utf8')
  const [, section = ''] = text.split(`\n${heading}\n`)
  const level = heading.indexOf(' ')
  const [own = ''] = section.split(new RegExp(`^#{1,${level}} `, 'm'))
  return [...own.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
}
