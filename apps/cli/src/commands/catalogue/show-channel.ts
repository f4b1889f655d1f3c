/** An offer channel as its commands show it. */
import type { Cli } from '../../cli.ts'
import { timeText } from '../../parse-values.ts'
import { type Column, detailsText } from '../../terminal/table.ts'

interface Channel {
  readonly id: string
  readonly product_id: string
  readonly name: string
  readonly status: string
  readonly active_policy: number | null
  readonly created_at: number
}

export const channelColumns: Column<Channel>[] = [
  { name: 'id', value: ({ id }) => id },
  { name: 'name', value: ({ name }) => name, flexible: true },
  {
    name: 'status',
    value: ({ status }) => status,
    tone: status => (status === 'active' ? 'green' : 'dim'),
  },
  { name: 'active_policy', value: ({ active_policy }) => active_policy },
  { name: 'product_id', value: ({ product_id }) => product_id },
  { name: 'created_at', value: ({ created_at }) => timeText(created_at) },
]

export const showChannel = (cli: Cli, found: Channel): void =>
  cli.print(found, one => detailsText(cli.terminal, channelColumns, one))
