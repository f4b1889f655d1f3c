/**
 * An offer of each line of a file. The key of a line follows from what it asks for, so running the same command again creates only what
 * is missing; a line that occurs twice makes two offers.
 */
import { createHash } from 'node:crypto'
import { ApiResponseError } from '@svc/client'
import { jsonToShow } from '@svc/contract/core/invisible'
import type { Cli } from '../../cli.ts'
import { exitCodes, Failure, UsageError } from '../../failure.ts'
import { offerLinks } from '../../page-address.ts'
import { parseJsonObject, readInput } from '../../read-input.ts'
import { type Column, listText } from '../../terminal/table.ts'
import { type BodyOptions, bodyOf, type OfferBody } from './offer-body.ts'

interface Outcome {
  readonly line: number
  readonly outcome: 'created' | 'existing' | 'refused'
  readonly id?: string
  readonly short_hash?: string
  readonly url?: string
  readonly errors?: ApiResponseError['errors']
}

const columns: Column<Outcome>[] = [
  { name: 'line', value: ({ line }) => line },
  {
    name: 'outcome',
    value: ({ outcome }) => outcome,
    tone: outcome => (outcome === 'refused' ? 'red' : 'green'),
  },
  { name: 'id', value: ({ id }) => id },
  { name: 'url', value: ({ url }) => url },
  {
    name: 'problem',
    value: ({ errors }) => errors?.map(({ message, code }) => `${message} (${code})`).join(' '),
    flexible: true,
  },
]

export async function createOffers(cli: Cli, path: string, options: BodyOptions): Promise<void> {
  const requests = await readRequests(cli, path, options)
  const { client, baseUrl } = await cli.connect()
  const link = await offerLinks(cli, baseUrl)
  const outcomes: Outcome[] = []
  const show = () => {
    if (!cli.options.json) cli.stdout.write(listText(cli.terminal, columns, outcomes, 'lines'))
  }
  for (const { line, key, body } of requests) {
    try {
      const request = { headers: { 'idempotency-key': key }, body }
      const label = `creating, ${outcomes.length} of ${requests.length} so far`
      const { body: made, headers } = await cli.call(label, call => client.offers.create_offer(request, call))
      const outcome = headers.get('idempotent-replayed') === 'true' ? 'existing' : 'created'
      outcomes.push({ line, outcome, ...made, url: link(made) })
    } catch (error) {
      if (!(error instanceof ApiResponseError) || ![400, 409, 422].includes(error.status)) {
        show()
        cli.note(`Stopped at line ${line}. Run the same command again to go on: no line is done twice.`)
        throw error
      }
      outcomes.push({ line, outcome: 'refused', errors: error.errors })
    }
    if (cli.options.json) cli.stdout.write(`${jsonToShow(outcomes.at(-1))}\n`)
  }
  show()
  const refused = outcomes.filter(({ outcome }) => outcome === 'refused').length
  if (refused > 0)
    throw new Failure(exitCodes.unprocessable, `${refused} of ${outcomes.length} lines were refused.`)
}

/** All lines are read before the first offer is created. */
async function readRequests(cli: Cli, path: string, options: BodyOptions) {
  const seen = new Map<string, number>()
  const requests: { readonly line: number; readonly key: string; readonly body: OfferBody }[] = []
  const lines = (await readInput(cli, path)).replace(/^\uFEFF/, '').split(/\r?\n/)
  for (const [at, text] of lines.entries()) {
    if (text.trim() === '') continue
    const body = await bodyOf(cli, options, parseJsonObject(text, `Line ${at + 1}`))
    const hash = createHash('sha256').update(JSON.stringify(body)).digest('base64url')
    const nth = (seen.get(hash) ?? 0) + 1
    seen.set(hash, nth)
    requests.push({ line: at + 1, key: `${hash}-${nth}`, body })
  }
  if (requests.length === 0) throw new UsageError('The file has no lines.')
  return requests
}
