import type { Result } from '@svc/client'
import { groups } from '@svc/contract/openapi/groups'
import { commandOf, referenceOf } from '@svc/contract/openapi/reference'
import type { CommandSurface } from '@svc/contract/openapi/surface'
import { type NamedOperation, operations } from '@svc/contract/services'
import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { asksFirst, isFinal } from '../confirm.ts'
import { UsageError } from '../failure.ts'
import { type KeyOptions, keyHeaders, reportReplay, withKey } from '../idempotency-key.ts'
import { inWorkspace } from '../in-workspace.ts'
import { type PageOptions, printList, withPages } from '../list.ts'
import { withExamples } from '../with-examples.ts'
import { idArgument } from './id-argument.ts'
import { addOption, argumentOf, canClear, type Field, fieldsOf, inputOf } from './input-fields.ts'
import { showAnswer, showPage } from './show-output.ts'

type Values = Record<string, unknown>
interface Request {
  readonly params?: Values
  readonly query?: Values
  readonly headers?: Values
  readonly body?: Values
}
type Send = (request: object, options: object) => Promise<Result<never>>

const parents: Readonly<Record<string, string>> = {
  workspace: 'The workspaces that you belong to.',
  members: 'Members of the workspace, and invitations to it.',
  mail: 'Which emails you get about the workspace.',
  versions: 'Versions of packages; a version never changes.',
  policies: 'The policies of an offer channel; a policy never changes.',
  'agent-secret': 'The secret of a cluster’s agent.',
}

/** Adds the command of each operation, in the order of the contract; `own` has those that do more, by name. */
export function operationCommands(program: Command, cli: Cli, own: OwnCommands): void {
  const named = operations.flatMap(one => {
    const surface = commandOf(one)
    return surface ? [{ ...one, surface }] : []
  })
  for (const one of named) {
    const { surface } = one
    const words = surface.name.split(' ')
    const parent = parentOf(program, words.slice(0, -1), () => plain(groups[referenceOf(one).group]))
    const name = words.at(-1) ?? ''
    if (surface.own) own[surface.name]?.(parent, cli)
    else derive(parent.command(name), cli, one, surface)
    if (isFinal(one.operation)) asksFirst(childOf(parent, name), cli)
  }
}

export type OwnCommands = Readonly<Record<string, (parent: Command, cli: Cli) => void>>

const find = (parent: Command, name: string) => parent.commands.find(one => one.name() === name)

export function childOf(parent: Command, name: string): Command {
  const found = find(parent, name)
  if (!found) throw new Error(`There is no svc ${name}.`)
  return found
}

const parentOf = (program: Command, words: readonly string[], description: () => string): Command =>
  words.reduce(
    (parent, word) =>
      find(parent, word) ?? parent.command(word).description(parents[word] ?? firstSentence(description())),
    program,
  )

const plain = (markdown: string) => markdown.replaceAll('`', '')
const firstSentence = (text: string) => text.replace(/(?<=\.) [A-Z].*$/s, '')

function derive(command: Command, cli: Cli, named: NamedOperation, surface: CommandSurface): void {
  const { operation } = named
  const isList = operation.http?.method === 'GET' && 'limit' in (operation.query?.shape ?? {})
  command.description(surface.help ?? `${plain(operation.summary)}.`)
  const ids = Object.keys(operation.params?.shape ?? {}).filter(
    name => name !== operation.access.workspaceParam,
  )
  for (const id of ids) command.addArgument(idArgument(named, id, surface.ids?.[id]))
  const fields = fieldsOf(operation, surface)
  const positional = fields.filter(({ field }) => surface.positional?.includes(field))
  const options = fields.filter(({ field }) => !surface.positional?.includes(field))
  for (const field of positional) command.addArgument(argumentOf(field))
  for (const field of options) addOption(command, field, operation.http?.method === 'PATCH')
  const hasKey = 'idempotency-key' in (operation.headers?.shape ?? {})
  if (hasKey) withKey(command)
  if (surface.etagOf)
    command.option('--etag <etag>', 'What this change is based on (default: the current one).')
  if (isList) withPages(command)
  if (surface.examples) withExamples(command, ...surface.examples)
  command.action(async (...args: unknown[]) => {
    const given = args.slice(0, ids.length + positional.length)
    const chosen = command.opts<Values & Chosen>()
    if (operation.http?.method === 'PATCH' && positional.length === 0) refuseNothing(options, chosen)
    const params: Values = Object.fromEntries(ids.map((id, at) => [id, given[at]]))
    const { query, body } = await inputOf(cli, options, chosen)
    for (const [at, { field }] of positional.entries()) body[field] = given[ids.length + at]
    await run(cli, named, surface, { params, query, body, isList, hasKey, chosen })
  })
}

function refuseNothing(options: readonly Field[], chosen: Values): void {
  if (options.some(({ attribute }) => chosen[attribute] !== undefined)) return
  const flags = options.flatMap(one => [`--${one.flag}`, ...(canClear(one) ? [`--no-${one.flag}`] : [])])
  throw new UsageError(`Give ${flags.join(', ').replace(/, (?=[^,]*$)/, ' or ')}.`)
}

interface Given {
  readonly params: Values
  readonly query: Values
  readonly body: Values
  readonly isList: boolean
  readonly hasKey: boolean
  readonly chosen: Chosen
}

type Chosen = KeyOptions & PageOptions & { readonly etag?: string }

async function run(
  cli: Cli,
  named: NamedOperation,
  surface: CommandSurface,
  { params, query, body, isList, hasKey, chosen }: Given,
): Promise<void> {
  const { operation, service, name } = named
  const { workspaceParam, workspace } = operation.access
  const path = workspaceParam ? { ...(await inWorkspace(cli)).params, ...params } : params
  const { client, unscoped } = await cli.connect()
  const all = (workspace ? client : unscoped) as unknown as Record<string, Record<string, Send>>
  const send = all[service]?.[name] as Send
  const current = async (from: string) => {
    const read = all[service]?.[from] as unknown as (
      ...sent: Parameters<Send>
    ) => Promise<Result<{ etag: string }>>
    return (await cli.call('reading', options => read({ params: path }, options))).body.etag
  }
  const request: Request = {
    ...(Object.keys(path).length > 0 && { params: path }),
    ...(operation.query && !isList && { query }),
    ...(operation.body && { body }),
    ...(hasKey && { headers: keyHeaders(cli, chosen) }),
    ...(surface.etagOf && { headers: { 'if-match': chosen.etag ?? (await current(surface.etagOf)) } }),
  }
  if (isList) {
    const list = (input: object, options: object) => send({ ...request, ...input }, options)
    return printList(cli, list, chosen, {
      ...showPage(operation, surface),
      query: query as Record<string, string>,
    })
  }
  const verb = operation.http?.method === 'GET' ? 'reading' : 'sending'
  const answer = await cli.call(verb, options => send(request, options))
  if (hasKey) reportReplay(cli, answer, surface.name.split(' ')[0]?.replace(/s$/, '') ?? '')
  showAnswer(cli, operation, answer.body, surface, Object.values(path).at(-1))
}
