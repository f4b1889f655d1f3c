/** `svc sessions list|end|end-others`: where the person is signed in. */
import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { type PageOptions, printList, withPages } from '../../list.ts'
import { parseId, timeText } from '../../parse-values.ts'
import type { Column } from '../../terminal/table.ts'
import { withExamples } from '../../with-examples.ts'

export function sessionCommands(program: Command, cli: Cli): void {
  const sessions = program.command('sessions').description('Your sessions, in browsers and programs.')
  withPages(sessions.command('list').description('List sessions; * marks the current one.')).action(options =>
    list(cli, options),
  )
  withExamples(
    sessions.command('end').description('End one: whoever uses it is signed out.'),
    'sessions end sess_01h455vb4pex5vsknk084sn02q',
  )
    .argument('<id>', 'sess_…, or current', parseId)
    .action(id => end(cli, id))
  sessions
    .command('end-others')
    .description('End all but the one used for this.')
    .action(() => endOthers(cli))
}

interface Session {
  readonly id: string
  readonly client: { readonly name: string } | null
  readonly address: string | null
  readonly user_agent: string | null
  readonly created_at: number
  readonly last_used_at: number | null
  readonly expires_at: number
  readonly current: boolean
}

const columns: Column<Session>[] = [
  { name: 'current', value: ({ current }) => (current ? '*' : ''), tone: () => 'green' },
  { name: 'id', value: ({ id }) => id },
  { name: 'client', value: ({ client }) => client?.name ?? 'browser', flexible: true },
  { name: 'address', value: ({ address }) => address },
  { name: 'last_used_at', value: ({ last_used_at }) => timeText(last_used_at) },
  { name: 'expires_at', value: ({ expires_at }) => timeText(expires_at) },
  { name: 'user_agent', value: ({ user_agent }) => user_agent, flexible: true },
]

async function list(cli: Cli, options: PageOptions): Promise<void> {
  const { unscoped } = await cli.connect()
  const { list_sessions } = unscoped['auth-tokens']
  await printList<Session>(cli, list_sessions, options, { things: 'sessions', columns })
}

async function end(cli: Cli, id: string): Promise<void> {
  const { unscoped } = await cli.connect()
  const { end_session } = unscoped['auth-tokens']
  await cli.call('ending', options => end_session({ params: { id } }, options))
  if (!cli.options.json) cli.note(`Ended ${id}.`)
}

async function endOthers(cli: Cli): Promise<void> {
  const { unscoped } = await cli.connect()
  const { end_other_sessions } = unscoped['auth-tokens']
  const { body } = await cli.call('ending', options => end_other_sessions({}, options))
  cli.print(body, () => '')
  if (!cli.options.json) cli.note(`Ended ${body.ended} other ${body.ended === 1 ? 'session' : 'sessions'}.`)
}
