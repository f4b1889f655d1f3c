/** What a service's numbered files must keep to, so that two releases can share its schema: docs/running/upgrade.md. */
import { readCompatibility } from '@svc/runtime/migrate/compatibility'
import compare from 'semver/functions/compare.js'

export interface NumberedFile {
  /** Without its extension. */
  readonly name: string
  readonly text: string
}

/**
 * @param files of one service, in their order
 * @param version of the root package.json: the release that will bring what is new
 * @returns a sentence for each rule that is broken
 */
export function brokenRules(files: readonly NumberedFile[], version: string): string[] {
  const broken: string[] = []
  const read = files.map(({ name, text }, at) => ({
    name,
    from: readCompatibility(name, text).compatible_from,
    sql: withoutComments(text),
    isFirst: at === 0,
  }))
  for (const [at, { name, from, sql, isFirst }] of read.entries()) {
    const earlier = read.slice(0, at)
    const previous = earlier.at(-1)
    const order = compare(from, version)
    if (isFirst ? order > 0 : order >= 0) {
      broken.push(`${name}: ${from} is not before ${version}, so the release before could not work with it.`)
    }
    if (previous && compare(from, previous.from) < 0) {
      broken.push(`${name}: ${from} cannot work with ${previous.name}, which is applied before.`)
    }
    for (const { statement, names } of narrowings(sql)) {
      const naming = names.map(wanted =>
        earlier.findLast(file => new RegExp(`\\b${wanted}\\b`, 'i').test(file.sql)),
      )
      // Functions are in files of their own, and may be as old as the first of these.
      const last = naming.find(Boolean) ?? earlier[0]
      if (last && compare(from, last.from) <= 0) {
        broken.push(
          `${name}: releases from ${from} on may use what "${statement}" takes from them: ${last.name} has it for releases from ${last.from} on.`,
        )
      }
    }
  }
  return broken
}

interface Narrowing {
  readonly statement: string
  /** What it takes away: a column before its table. */
  readonly names: readonly string[]
}

/** The statements after which something may no longer be named or written that could be before. */
export function narrowings(sql: string): Narrowing[] {
  const statements = withoutComments(sql)
    .split(';')
    .map(text => text.replace(/\s+/g, ' ').trim().toLowerCase())
  const own = new Set(
    statements.flatMap(text => /^create table (?:if not exists )?(\w+)/.exec(text)?.[1] ?? []),
  )
  return statements.flatMap(statement => {
    const dropped =
      /^drop (?:table|view|function|procedure|type|domain|sequence|trigger|index) (?:if exists )?(\w+)/.exec(
        statement,
      )
    if (dropped) return own.has(dropped[1] ?? '') ? [] : [{ statement, names: [dropped[1] ?? ''] }]
    const unique = /^create unique index .*?\bon (?:only )?(\w+)/.exec(statement)
    const [, altered, actions = ''] =
      /^alter (?:table|type|function|view|sequence|index) (?:if exists )?(?:only )?(\w+)(.*)/.exec(
        statement,
      ) ?? []
    const table = unique?.[1] ?? altered
    if (!table || own.has(table)) return []
    if (unique) return [{ statement, names: [table] }]
    return splitActions(actions).flatMap(action => {
      const name = narrowed(action)
      return name === undefined ? [] : [{ statement, names: [name, table].filter(Boolean) }]
    })
  })
}

/** The column or constraint that an action takes away or narrows; empty where it is the table; undefined where nothing is. */
function narrowed(action: string): string | undefined {
  const found =
    /^drop (?:constraint |column )?(?:if exists )?(\w+)/.exec(action) ??
    /^rename (?:column |constraint |value )?(\w+) to /.exec(action) ??
    /^alter (?:column )?(\w+) (?:set not null|drop default|(?:set data )?type )/.exec(action)
  if (found) return found[1]
  if (/^rename to |^set schema |^add (?:constraint |check|unique|primary|foreign|exclude)/.test(action))
    return ''
  const [, column, rest = ''] = /^add (?:column )?(?:if not exists )?(\w+)(.*)/.exec(action) ?? []
  if (column && /\bnot null\b|\bprimary key\b/.test(rest) && !/\bdefault\b|\bgenerated\b|serial\b/.test(rest))
    return ''
  return undefined
}

/** At commas that are in no parentheses. */
function splitActions(text: string): string[] {
  const actions = ['']
  let depth = 0
  for (const character of text) {
    depth += character === '(' ? 1 : character === ')' ? -1 : 0
    if (character === ',' && depth === 0) actions.push('')
    else actions[actions.length - 1] += character
  }
  return actions.map(action => action.trim())
}

/** Without literals and bodies of functions either, in which nothing is a statement of the file; and without what undoes it. */
const withoutComments = (text: string) =>
  text
    .replace(/^-- Down Migration[\s\S]*/im, '')
    .replace(/--.*$/gm, '')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(\$\w*\$)[\s\S]*?\1/g, "''")
    .replace(/'(?:[^']|'')*'/g, "''")
