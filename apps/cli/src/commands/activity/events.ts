import { jsonToShow } from '@svc/contract/core/invisible'
import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { parseTime, timeText } from '../../parse-values.ts'
import { printable } from '../../terminal/printable.ts'
import { withExamples } from '../../with-examples.ts'
import { newEvents } from './new-events.ts'

interface Filters {
  readonly type?: string
  readonly aggregate?: string
  readonly actor?: string
}
interface Between {
  readonly after?: number
  readonly before?: number
}

const withFilters = (command: Command): Command =>
  command
    .option('--type <type>', 'only this type, such as orders.completed')
    .option('--aggregate <id>', 'only of this object')
    .option('--actor <id>', 'only what this person, token, agent or program did')

const withTimes = (command: Command): Command =>
  command
    .option('--after <time>', 'from this time on: Unix seconds or ISO 8601', parseTime)
    .option('--before <time>', 'before this time', parseTime)

export const tailCommand = (events: Command, cli: Cli): Command =>
  withExamples(
    withFilters(events.command('tail').description('Print events as they happen, until you stop it.')),
    'events tail --type orders.completed',
    'events tail --json',
  ).action(options => tail(cli, options))

export const auditCommand = (program: Command, cli: Cli): Command =>
  withExamples(
    withTimes(
      withFilters(
        program
          .command('audit')
          .description('Print the audit log as JSON lines, oldest first; for owners and admins.'),
      ),
    ),
    'audit --after 2026-11-01 > november.jsonl',
    'audit --credential tok_01h455vb4pex5vsknk084sn02q',
  )
    .option('--credential <id>', 'only what was done with this session or API token')
    .option('--cursor <cursor>', 'continue after an earlier event')
    .action(options => audit(cli, options))

interface Shown {
  readonly created_at: number
  readonly type: string
  readonly aggregate_id: string
  readonly actor: { readonly kind: string; readonly id: string | null; readonly name: string | null } | null
}

const actorText = ({ actor }: Shown) => actor?.name ?? actor?.id ?? actor?.kind ?? ''

async function tail(cli: Cli, { type, aggregate, actor }: Filters): Promise<void> {
  for await (const event of newEvents(cli, { type, aggregate, actor })) {
    cli.stdout.write(
      cli.options.json
        ? `${jsonToShow(event)}\n`
        : `${[timeText(event.created_at), event.type, event.aggregate_id, printable(actorText(event))].join('  ')}\n`,
    )
  }
}

interface AuditOptions extends Filters, Between {
  readonly credential?: string
  readonly cursor?: string
}

/** After an interruption, the `cursor` of the last line continues it. */
async function audit(cli: Cli, { after, before, cursor: first, ...filters }: AuditOptions): Promise<void> {
  const { client } = await cli.connect()
  const query = { ...filters, after: after?.toString(), before: before?.toString(), limit: '100' }
  for (let cursor = first; ; ) {
    const page = { ...query, order: 'asc' as const, cursor }
    const { body } = await cli.call('reading', options =>
      client.activity.list_audit_log({ query: page }, options),
    )
    for (const event of body.data) cli.stdout.write(`${jsonToShow(event)}\n`)
    if (body.data.length < 100) return
    cursor = body.next_cursor ?? undefined
  }
}
