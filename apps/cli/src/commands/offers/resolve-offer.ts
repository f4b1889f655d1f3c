import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { parseHash, timeText } from '../../parse-values.ts'
import { type Column, detailsText } from '../../terminal/table.ts'
import { withExamples } from '../../with-examples.ts'

export function resolveOfferCommand(offers: Command, cli: Cli): void {
  withExamples(
    offers
      .command('resolve')
      .description('Show an offer as a customer: as you see it when you open its link.'),
    'offers resolve 7Kq2mXc9TzWf',
  )
    .argument('<short_hash>', 'what the link ends with', parseHash)
    .action(hash => resolve(cli, hash))
}

interface Resolved {
  readonly name: string
  readonly summary: {
    readonly seller: { readonly name: string; readonly support_email: string | null } | null
    readonly state: string
    readonly seats_left: number | null
    readonly terms: object
    readonly expires_at: number | null
  } | null
  readonly offer: {
    readonly notes: string | null
    readonly input_schema: object
    readonly field_values: object
  } | null
}

const columns: Column<Resolved>[] = [
  { name: 'name', value: ({ name }) => name },
  { name: 'seller', value: ({ summary }) => summary?.seller?.name },
  { name: 'support_email', value: ({ summary }) => summary?.seller?.support_email },
  { name: 'state', value: ({ summary }) => summary?.state },
  { name: 'seats_left', value: ({ summary }) => summary && (summary.seats_left ?? 'unlimited') },
  { name: 'expires_at', value: ({ summary }) => timeText(summary?.expires_at) },
  { name: 'terms', value: ({ summary }) => summary && JSON.stringify(summary.terms) },
  { name: 'notes', value: ({ offer }) => offer?.notes },
  { name: 'field_values', value: ({ offer }) => offer && JSON.stringify(offer.field_values) },
  { name: 'input_schema', value: ({ offer }) => offer && JSON.stringify(offer.input_schema) },
]

async function resolve(cli: Cli, short_hash: string): Promise<void> {
  const { unscoped } = await cli.connect()
  const request = { params: { short_hash } }
  const { body } = await cli.call('reading', options => unscoped.offers.resolve_offer(request, options))
  cli.print(body, found => detailsText(cli.terminal, columns, found))
  if (!cli.options.json && body.offer === null) cli.note('You are not entitled to order from it.')
}
