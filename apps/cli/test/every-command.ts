/** The commands that do something, as they are typed: `clusters settings get`. */
import type { Command } from 'commander'
import { createCli } from '../src/cli.ts'
import { createProgram } from '../src/program.ts'
import type { Surroundings } from '../src/surroundings.ts'

const { stdin, stdout, stderr } = process
const nobody: Surroundings = { env: {}, stdin, stdout, stderr, signal: new AbortController().signal }

const program = () => createProgram(createCli(nobody))

export const everyCommand = (): string[] => below(program())

/** Throws where there is none. */
export const commandNamed = (path: string): Command =>
  path.split(' ').reduce((command, name) => {
    const found = command.commands.find(one => one.name() === name)
    if (!found) throw new Error(`There is no svc ${path}.`)
    return found
  }, program())

const below = ({ commands }: Command): string[] =>
  commands.flatMap(one =>
    one.commands.length > 0 ? below(one).map(name => `${one.name()} ${name}`) : one.name(),
  )
