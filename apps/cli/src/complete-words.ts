/** Completes commands, options, and the values of options with a choice. */
import type { Argument, Command, Option } from 'commander'

/**
 * @param words after `svc`, up to the one under the cursor, which may be empty
 * @returns a line for each candidate, with its description after a tab; none: file names, or unknown
 */
export function completeWords(program: Command, words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  const { command, ...position } = follow(program, words.slice(0, -1))
  const option = position.waiting ? undefined : optionBefore(last, optionsOf(program, command))
  const lead = option ? `${option.long}=` : ''
  // bash splits --state= at the =.
  const current = position.waiting && last === '=' ? '' : last.slice(lead.length)
  return candidatesOf(program, command, { ...position, ...(option && { waiting: option }), current })
    .filter(([name]) => name.startsWith(current))
    .map(([name, description]) => `${lead}${name}\t${description}\n`)
    .join('')
}

const optionBefore = (word: string, options: readonly Option[]) =>
  options.find(({ long, required }) => required && word.startsWith(`${long}=`))

type Candidate = readonly [name: string, description: string]

interface Position {
  readonly current: string
  readonly waiting: Option | undefined
  readonly positionals: number
}

function follow(program: Command, words: readonly string[]) {
  let command = program
  let waiting: Option | undefined
  let positionals = 0
  for (const word of words) {
    if (waiting) {
      if (word !== '=') waiting = undefined
    } else if (word.startsWith('-')) {
      const option = optionsOf(program, command).find(({ long, short }) => word === long || word === short)
      waiting = option?.required ? option : undefined
    } else {
      const child = command.commands.find(one => one.name() === word)
      if (child) command = child
      else positionals++
    }
  }
  return { command, waiting, positionals }
}

function candidatesOf(
  program: Command,
  command: Command,
  { current, waiting, positionals }: Position,
): Candidate[] {
  if (waiting) return choices(waiting)
  if (current.startsWith('-')) {
    const options = optionsOf(program, command).map(
      ({ long, description }) => [long ?? '', description] as const,
    )
    return [...options, ['--help', 'show help']]
  }
  if (command.commands.length > 0) {
    return command.commands.map(child => [child.name(), child.description()] as const)
  }
  const last = command.registeredArguments.at(-1)
  const argument = command.registeredArguments[positionals] ?? (last?.variadic ? last : undefined)
  return argument ? choices(argument) : []
}

const optionsOf = (program: Command, command: Command): Option[] =>
  [...new Set([...command.options, ...program.options])].filter(({ hidden }) => !hidden)

const choices = ({ argChoices = [], description }: Option | Argument): Candidate[] =>
  argChoices.map(choice => [choice, description])
