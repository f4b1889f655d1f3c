import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'

export const endOtherSessionsCommand = (sessions: Command, cli: Cli): Command =>
  sessions
    .command('end-others')
    .description('End all of your sessions but the one used for this.')
    .action(() => endOthers(cli))

async function endOthers(cli: Cli): Promise<void> {
  const { unscoped } = await cli.connect()
  const { end_other_sessions } = unscoped['auth-tokens']
  const { body } = await cli.call('ending', options => end_other_sessions({}, options))
  cli.print(body, () => '')
  if (!cli.options.json) cli.note(`Ended ${body.ended} other ${body.ended === 1 ? 'session' : 'sessions'}.`)
}
