/** The commands that do something, as they are typed: `clusters settings get`. */
import type { Command } from 'commander'
import { createCli } from '../src/cli.ts'
import { createProgram } from '../src/program.ts'
import type { Surroundings } from '../src/surroundings.ts'

const { stdin, stdout, stderr } = process
const nobody: Surroundings = { env: {}, stdin, stdout, stderr, signal: new AbortController().signal }

export const everyCommand = (): string[] => below(createProgram(createCli(nobody)))

const below = ({ commands }: Command): string[] =>
  commands.flatMap(one =>
    one.commands.length > 0 ? below(one).map(name => `${one.name()} ${name}`) : one.name(),
  )
