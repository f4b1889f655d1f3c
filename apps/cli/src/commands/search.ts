import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { type Column, listText } from '../terminal/table.ts'

interface Found {
  readonly kind: string
  readonly id: string
  readonly name: string
  readonly detail: string | null
}

const columns: Column<Found>[] = [
  { name: 'kind', value: ({ kind }) => wordsFor(kind) },
  { name: 'id', value: ({ id }) => id },
  { name: 'name', value: ({ name }) => name, flexible: true },
  { name: 'detail', value: ({ detail }) => detail ?? '', flexible: true },
]

export function searchCommand(program: Command, cli: Cli): void {
  program
    .command('search')
    .description('Search the workspace by beginnings of words.')
    .argument('<words...>', 'Names, customers, notes, email addresses, references of orders.')
    .action((words: string[]) => search(cli, words.join(' ')))
}

async function search(cli: Cli, q: string): Promise<void> {
  const { client } = await cli.connect()
  const { body } = await cli.call('reading', options =>
    client['auth-tokens'].search_resources({ query: { q } }, options),
  )
  const { data, more, unsearched } = body
  cli.print(body, () => listText(cli.terminal, columns, data, 'results'))
  if (cli.options.json) return
  if (more.length > 0) cli.note(`There are more of these kinds: ${more.map(wordsFor).join(', ')}.`)
  if (unsearched.length > 0)
    cli.note(`These kinds cannot be searched just now: ${unsearched.map(wordsFor).join(', ')}.`)
}

const wordsFor = (kind: string): string => kind.replaceAll('_', ' ').replace('api', 'API')
