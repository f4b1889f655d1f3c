import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@svc/local/repo-root'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(join(repoRoot, path), 'utf8')

/** The folders in `libs` that a package needs at run time, and those that they need. */
function librariesOf(folder: string): string[] {
  const { dependencies = {} } = JSON.parse(read(`${folder}/package.json`)) as {
    dependencies?: Record<string, string>
  }
  const own = Object.keys(dependencies).flatMap(name =>
    name.startsWith('@svc/') ? [`libs/${name.slice(5)}`] : [],
  )
  return [...new Set([...own, ...own.flatMap(librariesOf)])]
}

test.each(readdirSync(join(repoRoot, 'services')))(
  'the image of %s contains the libraries that it imports',
  service => {
    const copied = [...read('deploy/Dockerfile').matchAll(/^COPY --from=pruned \/app\/(libs\/[\w-]+) \1$/gm)]
    const folders = copied.map(([, folder]) => folder)
    expect(folders).toEqual(expect.arrayContaining(librariesOf(`services/${service}`)))
    // Each copy is a layer.
    expect(new Set(folders).size).toBe(folders.length)
  },
)

test.each(['deploy/setup-database.mjs', 'deploy/migrate-schema.mjs', 'deploy/kubernetes/make-secrets.mjs'])(
  'every image has %s, and the packages that it imports',
  script => {
    const [last = ''] = read('deploy/Dockerfile')
      .split(/^(?=FROM )/m)
      .slice(-1)
    expect(last.split(/\s+/)).toContain(script)
    const imported = [...read(script).matchAll(/(?:from|import\()\s*'((?:@svc\/)?[\w-]+)/g)].map(
      ([, name]) => name,
    )
    const runtime = Object.keys(JSON.parse(read('libs/runtime/package.json')).dependencies)
    const present = ['@svc/runtime', '@svc/bus', '@svc/contract', 'node', ...runtime]
    expect(imported.length).toBeGreaterThan(2)
    for (const name of imported) expect(present).toContain(name)
  },
)
