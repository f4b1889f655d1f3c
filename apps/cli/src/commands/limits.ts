import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { type Column, listText } from '../terminal/table.ts'

interface Limit {
  readonly name: string
  readonly used: number
  readonly most: number
  readonly counts: string
}

const columns: Column<Limit>[] = [
  { name: 'limit', value: ({ name }) => name },
  { name: 'used', value: ({ used }) => String(used) },
  { name: 'most', value: ({ most }) => String(most) },
  { name: 'counts', value: ({ counts }) => counts, flexible: true },
]

export function limitsCommand(program: Command, cli: Cli): void {
  program
    .command('limits')
    .description('Show the workspace’s quotas and rate limits, and how much is used.')
    .action(() => limits(cli))
}

async function limits(cli: Cli): Promise<void> {
  const { client } = await cli.connect()
  const { body } = await cli.call('reading', options => client['auth-tokens'].get_limits({}, options))
  const rates = body.rate_limits.map(({ policy, limit, remaining, window_seconds }) => ({
    name: `requests of the ${policy}`,
    used: limit - remaining,
    most: limit,
    counts: `requests at once; the full number is available again within ${window_seconds} seconds`,
  }))
  const quotas = body.quotas.map(({ quota, ...rest }) => ({ name: quota, ...rest }))
  cli.print(body, () => listText(cli.terminal, columns, [...rates, ...quotas], 'limits'))
}
