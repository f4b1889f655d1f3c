/** docs/running/kubernetes-values.md has every setting of base, overlays and components, as it is shipped. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@svc/local/repo-root'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const root = join(repoRoot, 'deploy/kubernetes')
const page = readFileSync(join(repoRoot, 'docs/running/kubernetes-values.md'), 'utf8')

const sectionOf = (title: string) => page.split(/^## /m).find(text => text.startsWith(`${title}\n`)) ?? ''
const rowsOf = (title: string) =>
  sectionOf(title)
    .split('\n')
    .filter(line => line.startsWith('| `'))
    .map(line => line.split('|').slice(1, -1))
const coded = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code ?? '')

const shipped = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('/kustomization.yaml'))
  .flatMap(file => {
    const { configMapGenerator = [] } = parse(readFileSync(join(root, file), 'utf8'))
    const folder = file.replace(/\/kustomization\.yaml$/, '')
    return (configMapGenerator as { name: string; literals?: string[] }[]).flatMap(
      ({ name, literals = [] }) =>
        literals.map(literal => {
          const at = literal.indexOf('=')
          return [literal.slice(0, at), name, folder, literal.slice(at + 1)].join(' | ')
        }),
    )
  })

test('the table of settings is what the kustomizations say, with nothing missing and nothing else', () => {
  const stated = rowsOf('Settings').flatMap(([value, map, folder, text]) =>
    coded(map).flatMap(one =>
      coded(folder).map(where => [coded(value)[0], one, where, coded(text)[0]].join(' | ')),
    ),
  )
  expect(shipped.length).toBeGreaterThan(30)
  expect(stated.sort()).toEqual([...shipped].sort())
})

test('the files of the other values exist, and have them', () => {
  for (const [values, files] of rowsOf('Objects')) {
    const paths = coded(files).flatMap(file =>
      file.includes('*') ? ['small', 'production'].map(one => file.replace('*', one)) : [file],
    )
    const texts = paths.map(file => {
      const path = [join(root, file), join(repoRoot, file)].find(existsSync)
      expect(path, file).toBeDefined()
      return readFileSync(path ?? '', 'utf8')
    })
    for (const value of coded(values)) expect(texts.join('\n'), files).toContain(value)
  }
})
