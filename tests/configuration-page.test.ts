// Compares docs/running/configuration.md with what the processes read.
import { serviceNames } from '@svc/contract/manifest'
import { repoRoot } from '@svc/local/repo-root'
import { configOf } from '@svc/testing/deploy/config-of'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ZodType } from 'zod'

const processes = ['gateway', ...serviceNames, 'compute-agent']
const configs = Object.fromEntries(
  await Promise.all(processes.map(async name => [name, await configOf(name)] as const)),
) as Record<string, Record<string, ZodType>>
const groups: Record<string, readonly string[]> = { all: processes, services: serviceNames }

const page = readFileSync(join(repoRoot, 'docs/running/configuration.md'), 'utf8')
const [, table = ''] = /^## Processes\n(.*?)^## /ms.exec(page) ?? []
const rows = [...table.matchAll(/^\| (`.*?) \| (.*?) \| (.*?) ?\| /gm)].map(
  ([, names = '', who = '', defaults = '']) => ({
    names: quoted(names),
    who: who.split(', ').flatMap(name => groups[name] ?? [name]),
    defaults: quoted(defaults),
  }),
)

function quoted(cell: string) {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)
}

test.each(Object.entries(configs))(
  '%s reads exactly the variables that the page lists for it',
  (name, config) => {
    const listed = rows.filter(({ who }) => who.includes(name)).flatMap(({ names }) => names)
    // Node.js reads it, not the process.
    const read = listed.filter(variable => variable !== 'NODE_OPTIONS')
    expect(read.toSorted()).toEqual(Object.keys(config).toSorted())
  },
)

test.each(rows)('$names have the defaults on the page', ({ names, who, defaults }) => {
  for (const process of who) {
    for (const [index, name] of names.entries()) {
      const { data } = configs[process]?.[name]?.safeParse(undefined) ?? {}
      const isPlain = typeof data === 'string' || typeof data === 'number'
      if (isPlain || !Array.isArray(data))
        expect(isPlain ? `${data}` : undefined, process).toBe(defaults[index])
    }
  }
})
