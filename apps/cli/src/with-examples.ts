import type { Command } from 'commander'

/** Adds examples, without the leading `svc`, to the help of a command. A test runs all of them. */
export const withExamples = (command: Command, ...examples: string[]): Command =>
  command.addHelpText('after', ['\nExamples:', ...examples.map(example => `  svc ${example}`)].join('\n'))
