import * as prompts from '@clack/prompts'
import { beyondMembers, presetNames } from '@svc/contract/core/permissions'
import { tokenPermissions } from '@svc/contract/token-permissions'
import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { Interrupted } from '../../failure.ts'

const [read, ci] = presetNames

/** Asks a person what the token may do. Scripts that name nothing get all that a member may. */
export function asksForPermissions(command: Command, cli: Cli): void {
  command.hook('preAction', async () => {
    if (command.opts().permissions !== undefined || !cli.asks) return
    const asked = { input: cli.stdin, output: cli.stderr, signal: cli.signal }
    const chosen = answered(
      await prompts.select({
        ...asked,
        message: 'What may the token do?',
        options: [
          { value: 'chosen', label: 'Only what I choose' },
          { value: read, label: 'Read', hint: 'all that a member may read' },
          { value: ci, label: 'CI', hint: 'catalogue and offers' },
          { value: 'all', label: 'All that a member may' },
        ],
      }),
    )
    if (chosen === 'all') return
    if (chosen !== 'chosen') return void command.setOptionValue('permissions', [chosen])
    const options = [...tokenPermissions, ...beyondMembers].map(value => ({ value }))
    const names = await prompts.multiselect({ ...asked, message: 'Permissions', options })
    command.setOptionValue('permissions', answered(names))
  })
}

function answered<Value>(answer: Value | symbol): Value {
  if (prompts.isCancel(answer)) throw new Interrupted()
  return answer as Value
}
