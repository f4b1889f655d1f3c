// A member who names a package or a cluster, or writes notes: the console offered an `svc` line with characters that end a paste, and
// what followed them ran in the terminal of the admin who pasted it.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitUntil } from '@svc/local/wait-until'
import { forFile } from '@svc/testing/for-file'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { programInTerminal } from '../../apps/cli/test/svc-process.ts'
import {
  newCatalogue,
  type Seat,
  setConsoleScene,
} from '../../services/gateway/test/web/console/console-scene.ts'
import { linesIn } from '../../services/gateway/test/web/console/shell-words.ts'

const scene = forFile(setConsoleScene)
let owner: Seat
beforeAll(async () => {
  owner = await scene.newOwner()
})

/** Ends the paste, deletes the line, runs a command. */
const attack = 'Acme \u001b[201~ \u0015touch ran\r'

test('notes take line feeds and tabs, keep the line ends of Windows as line feeds, and refuse the rest', async () => {
  const { product_id } = await newCatalogue(owner)
  const notes = 'Welcome.\r\n\tSee you.\n'
  const { id } = await owner.send('POST', '/offers', { product_id, notes })
  expect(await owner.send('GET', `/offers/${id}`)).toMatchObject({ notes: 'Welcome.\n\tSee you.\n' })
  for (const [text, code] of [
    [attack, 'U+001B'],
    ['over\rwritten', 'U+000D'],
    ['\u202eturned', 'U+202E'],
  ] as const)
    expect(await problemOf('/offers', { product_id, notes: text })).toBe(
      `notes must not contain the character ${code}.`,
    )
})

describe('a line that the console offers runs svc and nothing else when it is pasted', () => {
  const older = (table: string, column = 'name') =>
    scene.stack.sql`update ${scene.stack.sql(table)} set ${scene.stack.sql(column)} = ${attack}
      where workspace_id = ${owner.workspace}`

  test('with the name of a package that is older than the rule', async () => {
    const { package_id } = await newCatalogue(owner)
    await older('offers.packages')
    const words = await pasted(await lineOf(`/catalogue/packages/${package_id}/rename`))
    expect(words).toEqual(['packages', 'update', package_id, '--name', attack.trim()])
  })

  test('with the notes of an offer that is older than the rule', async () => {
    const { product_id } = await newCatalogue(owner)
    const { id } = await owner.send('POST', '/offers', { product_id })
    await older('offers.offers', 'notes')
    const words = await pasted(await lineOf(`/offers/new?from=${id}`))
    expect(words.slice(words.indexOf('--notes'))[1]).toBe(attack)
  })

  test('with the name of a cluster that is older than the rule', async () => {
    const { id } = await owner.send('POST', '/clusters', { name: 'Older' })
    await older('compute.clusters')
    expect(await pasted(await lineOf(`/clusters/${id}/rename`))).toContain(attack.trim())
  })
})

/** What the API says of a request that it refuses. */
async function problemOf(path: string, body: object): Promise<string> {
  const problem: unknown = await owner.send('POST', path, body).catch(error => error)
  const [, text = '{}'] = /answered 400: (.*)$/s.exec(String(problem)) ?? []
  const { errors = [] } = JSON.parse(text) as { errors?: { message: string }[] }
  return errors.map(({ message }) => message).join(' ')
}

async function lineOf(path: string): Promise<string> {
  const page = await scene.plain(owner, path)
  return linesIn(await page.content())?.svc ?? ''
}

/** The words that `svc` gets of a line which is pasted into bash, where nothing else may be made in the folder. */
async function pasted(line: string): Promise<string[]> {
  const dir = await mkdtemp(join(tmpdir(), 'svc-paste-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const start = `cd '${dir}'; PS1='ready> '; bind 'set enable-bracketed-paste on'
    svc() { printf '%s\\0' "$@" > part && mv part words; }`
  await writeFile(join(dir, 'start'), start)
  const terminal = programInTerminal('/bin/bash', ['--noprofile', '--rcfile', join(dir, 'start'), '-i'])
  onTestFinished(async () => {
    terminal.kill()
    await terminal.ended
  })
  await terminal.shows('ready>')
  terminal.type(`\u001b[200~${line}\u001b[201~\r`)
  await waitUntil('svc was called', async () => (await readdir(dir)).includes('words'))
  expect(await readdir(dir)).toEqual(['start', 'words'])
  return (await readFile(join(dir, 'words'), 'utf8')).split('\0').slice(0, -1)
}
