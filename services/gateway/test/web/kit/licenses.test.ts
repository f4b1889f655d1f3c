// The licences that go with the image: of what the build copies from packages that the image does not have.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const text = readFileSync(new URL('../../../dist/LICENSES.txt', import.meta.url), 'utf8')
const { devDependencies } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
)
/** Nothing of these stays in the build. */
const others = ['esbuild', 'marked']

test('every package that only the build needs, and of which something is shipped, is in it', () => {
  const named = [...text.matchAll(/^(\S+) \d+\.\d+\.\d+ \(/gm)].map(([, name]) => name)
  const shipped = Object.keys(devDependencies).filter(name => !others.includes(name))
  // The shapes of lucide are among the sources themselves.
  expect(named).toEqual([...shipped, 'lucide'])
})

test.each([
  ['Inter', 'SIL OPEN FONT LICENSE Version 1.1', 'The Inter Project Authors'],
  ['Lucide', 'ISC License', 'Lucide Icons and Contributors'],
  ['uqr', 'MIT License', 'Project Nayuki'],
])('with its words: %s', (_, ...words) => {
  for (const one of words) expect(text).toContain(one)
})
