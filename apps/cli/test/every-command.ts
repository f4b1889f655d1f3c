/** The commands that do something, as they are typed: `clusters settings get`. */
import type { Command } from 'commander'
import { createCli } from '../src/cli.ts'
import { createProgram } from '../src/program.ts'
import type { Surroundings } from '../src/surroundings.ts'

let said = ''
const stream = {
  write(text: string) {
    said += text
    return true
  },
}
const streams = { stdin: stream, stdout: stream, stderr: stream } as unknown as Surroundings
export const program = createProgram(createCli({ ...streams, env: {}, signal: new AbortController().signal }))

export const everyCommand = (): string[] => below(program)

/** Throws where there is none. */
export const commandNamed = (path: string): Command =>
  path.split(' ').reduce((command, name) => {
    const found = command.commands.find(one => one.name() === name)
    if (!found) throw new Error(`There is no svc ${path}.`)
    return found
  }, program)

/** What `--help` prints. */
export function helpOf(path: string): string {
  said = ''
  commandNamed(path).outputHelp()
  return said
}

const below = ({ commands }: Command): string[] =>
  commands.flatMap(one =>
    one.commands.length > 0 ? below(one).map(name => `${one.name()} ${name}`) : one.name(),
  )
