/** The statements of the services and of libs/runtime, as they stand in the sources. */
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface SourceStatement {
  /** Path below the repository, and the line. */
  readonly at: string
  /** `offers.get_offer`; undefined where it has none, or one of another schema. */
  readonly name: string | undefined
}

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** The name in the comment that a statement begins with, in a source as in PostgreSQL's log. */
export const nameOf = (text: string): string | undefined =>
  /^\s*\/\* ([a-z_]+\.[a-z0-9_]+) \*\//.exec(text)?.[1]

/** Every statement that is a tagged template, or begins with a name, in whatever folder below `src`. */
export async function readStatements(): Promise<SourceStatement[]> {
  const services = await readdir(join(root, 'services'))
  const found = await Promise.all([
    statementsBelow(join(root, 'libs/runtime/src'), 'runtime'),
    ...services.map(service =>
      statementsBelow(join(root, 'services', service, 'src'), service.replaceAll('-', '_')),
    ),
  ])
  return found.flat()
}

async function statementsBelow(folder: string, schema: string): Promise<SourceStatement[]> {
  const files = (await readdir(folder, { recursive: true })).filter(file => file.endsWith('.ts'))
  const found = await Promise.all(
    files.map(async file => {
      const path = join(folder, file)
      return statementsOf(await readFile(path, 'utf8'), relative(root, path).replaceAll(sep, '/'), schema)
    }),
  )
  return found.flat()
}

const statementsOf = (source: string, path: string, schema: string): SourceStatement[] =>
  Array.from(
    source.matchAll(
      /(?:(?<![.\w])(?:sql|tx)(?:\(\))?(?:<[^`]*>)?`|["'`](?=\/\* [a-z_]+\.[a-z0-9_]+ \*\/))(?=([^`]*))/g,
    ),
    ({ index, 1: text = '' }) => {
      const name = nameOf(text)
      return {
        at: `${path}:${source.slice(0, index).split('\n').length}`,
        name: name?.startsWith(`${schema}.`) ? name : undefined,
      }
    },
  )
