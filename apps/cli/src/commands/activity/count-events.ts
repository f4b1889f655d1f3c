import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { collect, parseInteger } from '../../parse-values.ts'
import { listText } from '../../terminal/table.ts'
import { withExamples } from '../../with-examples.ts'

interface CountOptions {
  readonly type: readonly string[]
  readonly days?: number
}

export function countEventsCommand(events: Command, cli: Cli): void {
  withExamples(
    events.command('count').description('Count events by day (UTC), today last.'),
    'events count --type orders.created --type installs.created --days 30',
  )
    .requiredOption('--type <type>', 'which to count, such as orders.created; up to five', collect)
    .option('--days <n>', 'how many days, 1 to 90 (default: 30)', parseInteger)
    .action(options => count(cli, options))
}

async function count(cli: Cli, { type, days }: CountOptions): Promise<void> {
  const { client } = await cli.connect()
  const query = { types: type.join(','), days }
  const { body } = await cli.call('counting', options => client.activity.count_events({ query }, options))
  const columns = type.map(name => ({
    name,
    value: ({ counts }: (typeof body.data)[number]) => counts[name] ?? 0,
  }))
  cli.print(body, ({ data }) =>
    listText(cli.terminal, [{ name: 'date', value: ({ date }) => date }, ...columns], data, 'days'),
  )
}
