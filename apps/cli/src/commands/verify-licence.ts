/** Needs no network and no sign-in. */
import { type LicenceFailure, verifyLicence } from '@svc/client/licence'
import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { exitCodes, Failure, UsageError } from '../failure.ts'
import { readInput, readJsonInput } from '../read-input.ts'
import { type Column, detailsText } from '../terminal/table.ts'
import { timeText } from '../parse-values.ts'
import { withExamples } from '../with-examples.ts'

const sentences: Readonly<Record<LicenceFailure, string>> = {
  malformed: 'The file has no licence.',
  wrong_type: 'The licence is another kind of token, or is not signed with ES256.',
  unknown_key: 'The licence is signed with a key that is not among the keys.',
  wrong_signature: 'The licence was changed, or was signed with another key.',
  wrong_issuer: 'The licence is of another seller.',
  wrong_audience: 'The licence is for another product.',
  expired: 'The licence has ended.',
}

interface Options {
  readonly keys: string
  readonly issuer?: string
  readonly audience?: string
}

export const verifyLicenceCommand = (licences: Command, cli: Cli): Command =>
  withExamples(
    licences
      .command('verify')
      .description('Verify a licence with the keys of its seller, without a network.'),
    'licences verify licence.json --keys keys.json',
  )
    .argument('<file>', 'the licence, or the answer with it; - is standard input')
    .requiredOption('--keys <file>', 'the JWK Set of the seller: svc licences keys ws_… --json')
    .option('--issuer <url>', 'whose licences count (default: whoever has the keys)')
    .option('--audience <id>', 'the product or package that it has to be for (default: any)')
    .action((file: string, options: Options) => verify(cli, file, options))

async function verify(cli: Cli, file: string, { keys: keysFile, issuer, audience }: Options): Promise<void> {
  const text = licenceIn((await readInput(cli, file)).trim())
  const keys = (await readJsonInput(cli, keysFile)) as { keys: object[] }
  if (!Array.isArray(keys.keys)) throw new UsageError(`${keysFile} is not a JWK Set.`)
  const said = claimsOf(text)
  const wanted = { issuer: issuer ?? said.iss ?? '', audience: audience ?? said.aud ?? '' }
  const { licence, reason } = await verifyLicence(text, { keys, ...wanted })
  if (!licence) throw new Failure(exitCodes.failed, sentences[reason])
  cli.print(licence, claims => detailsText(cli.terminal, columnsOf(Object.keys(claims)), claims))
}

function licenceIn(content: string): string {
  try {
    return String(JSON.parse(content).licence)
  } catch {
    return content
  }
}

/** Not verified yet. */
function claimsOf(text: string): { readonly iss?: string; readonly aud?: string } {
  try {
    return Object(JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString()))
  } catch {
    return {}
  }
}

const times = new Set(['iat', 'exp', 'paid_through'])
const columnsOf = (names: readonly string[]): Column<Readonly<Record<string, unknown>>>[] =>
  names.map(name => ({
    name,
    value: claims => {
      const value = claims[name]
      if (times.has(name)) return timeText(value as number | null)
      return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as string)
    },
  }))
