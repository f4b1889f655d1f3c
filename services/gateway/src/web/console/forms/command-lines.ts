/** Writes a call of the API as lines for a terminal. The browser runs it, too: nothing here may need Node.js. */
import { jsonToShow, replaceUnruly } from '@svc/contract/core/invisible'
import { type FieldSpec, type FieldValues, fill, sentValue } from '../../kit/forms/field-spec.ts'

export interface CallSpec {
  readonly method: string
  readonly url: string
  /** Undefined: the credential decides. */
  readonly workspace?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly fields?: readonly FieldSpec[] | undefined
  /** Parts of the body that are not fields. */
  readonly fixed?: object | undefined
  readonly svc: readonly string[]
  /** A part of the body that `svc` reads from a file. */
  readonly file?: { readonly flag: string; readonly at: string } | undefined
}

export function curlLine(call: CallSpec, typedValues: FieldValues): string {
  const { method, url, headers = {}, fields, fixed } = call
  const values = withoutSecrets(fields, typedValues)
  const sent: Record<string, string> = { ...headers }
  // A session acts in the workspace that it names; an API token has its own.
  if (call.workspace) sent['Svc-Context'] = call.workspace
  const parts = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(url)}`,
    // The only word that the shell expands.
    '-H "Authorization: Bearer $SVC_TOKEN"',
    ...Object.entries(sent).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
  ]
  if (fields || fixed) {
    parts.push("-H 'Content-Type: application/json'")
    parts.push(`-d ${quoted(jsonToShow(fill(fields ?? [], values, fixed).body))}`)
  }
  return parts.join(' \\\n  ')
}

export function svcLine({ svc, fields = [], fixed, file }: CallSpec, typedValues: FieldValues): string {
  const values = withoutSecrets(fields, typedValues)
  const words = svc.map(quoted)
  const given = fields.filter(({ isArgument }) => isArgument).map(spec => values[spec.name] ?? '')
  words.push(...given.filter(value => value !== '').map(quoted))
  if (file) words.push(file.flag, asFile(fill(fields, values, fixed).body[file.at]))
  const { body } = fill(fields.filter(isUnnameable(fields)), values)
  if (Object.keys(body).length > 0) words.push('--file', asFile(body))
  // Two answers may ask for the same option.
  const options = new Set(fields.map(spec => optionOf(spec, values).join(' ')).filter(Boolean))
  return ['svc', ...words, ...options].join(' ')
}

/**
 * `svc` ends the name at the first `=`, so such a field and its lock go into the file to which other options are
 * added.
 */
const hasNoFlag = ({ flagKey }: FieldSpec) => flagKey === '' || flagKey?.includes('=') === true
const isUnnameable = (fields: readonly FieldSpec[]) => {
  const locks = new Set(fields.filter(hasNoFlag).map(({ otherFlag }) => otherFlag?.while))
  return (spec: FieldSpec) => hasNoFlag(spec) || locks.has(spec.name)
}

function optionOf(spec: FieldSpec, values: FieldValues): string[] {
  const { otherFlag, flagKey, emptyFlag, isFile } = spec
  const flag = otherFlag && values[otherFlag.while] === 'on' ? otherFlag.flag : spec.flag
  const value = typed(spec, values) ?? emptyFlag
  if (!flag || value === undefined || value === false || hasNoFlag(spec)) return []
  if (spec.words) return [flag, spec.words[`${value}`] ?? '']
  if (isFile) return [flag, asFile(value)]
  if (flagKey) return [flag, quoted(`${flagKey}=${asJsonOrText(value)}`)]
  if (value === true) return [flag]
  return (Array.isArray(value) ? value : [value]).flatMap(one => [flag, quoted(asText(one))])
}

/** Secrets are left to be filled in, so that they are neither seen nor stored in a shell's history. */
function withoutSecrets(fields: readonly FieldSpec[] = [], values: FieldValues): FieldValues {
  const secret = fields.filter(({ isSecret, name }) => isSecret && values[name])
  return {
    ...values,
    ...Object.fromEntries(secret.map(({ name, kind }) => [name, kind === 'json' ? '"FILL_IN"' : 'FILL_IN'])),
  }
}

const asFile = (value: unknown): string => `<(printf %s ${quoted(jsonToShow(value))})`

function typed(spec: FieldSpec, values: FieldValues): unknown {
  try {
    return sentValue(spec, values)
  } catch {
    return values[spec.name]
  }
}

/** `svc` reads JSON if it is valid, so a text such as 5 is quoted. */
const asJsonOrText = (value: unknown): string =>
  typeof value === 'string' && !isJson(value) ? value : jsonToShow(value)

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const asText = (value: unknown): string => (typeof value === 'object' ? jsonToShow(value) : String(value))

/**
 * Quotes a word for a shell (POSIX, 2.2.2). A word with control characters, which would affect a terminal while it
 * is pasted, or with invisible ones is written for bash and zsh (POSIX of 2024, 2.2.4): `$'\x1b'`.
 */
export function quoted(word: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word)) return word
  if (replaceUnruly(word, asBytes) === word) return `'${word.replaceAll("'", `'\\''`)}'`
  // bash 3.2 of macOS takes `\'` for the end of such a word, and looks for a line of its history behind `!`.
  return `$'${replaceUnruly(word.replaceAll('\\', '\\\\'), asBytes).replace(/['!]/g, asBytes)}'`
}

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t' }
const asBytes = (character: string): string =>
  short[character] ??
  [...new TextEncoder().encode(character)].map(byte => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
