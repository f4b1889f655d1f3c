// Forms that were opened before somebody changed something, and tabs beside each other.
import { waitUntil } from '@svc/local/wait-until'
import { forFile } from '@svc/testing/for-file'
import { expect, test } from 'vitest'
import { heading, press } from '../page-scene.ts'
import { choose, main, type Seat, setConsoleScene } from './console-scene.ts'

const scene = forFile(setConsoleScene)

const machines = 'Maximum machines'
const scaling = 'Autoscaling'

async function newCluster({ send }: Seat) {
  const { id } = await send('POST', '/clusters', { name: 'Berlin' })
  return id
}

const settingsOf = async ({ send }: Seat, cluster: string) => {
  const { max_machines, auto_scaling } = await send('GET', `/clusters/${cluster}/compute_settings`)
  return { max_machines, auto_scaling }
}

/** As far as it has been told who did it. */
const known = ({ send }: Seat, cluster: string) =>
  waitUntil('the event of the change', async () => {
    const query = new URLSearchParams({ aggregate: cluster, type: 'compute_settings.updated' })
    const { data } = (await send('GET', `/events?${query}`)) as unknown as { data: unknown[] }
    return data.length > 0
  })

test('settings that somebody else changed meanwhile are shown, and one’s own change is applied to them', async () => {
  const owner = await scene.newOwner()
  const admin = await scene.newColleague(owner, 'admin')
  const cluster = await newCluster(owner)
  const path = `/clusters/${cluster}/settings`
  const mine = await scene.plain(owner, path)
  const theirs = await scene.plain(admin, path)
  const before = await settingsOf(owner, cluster)
  await theirs.getByLabel(machines).fill('3')
  await press(theirs, 'Save')
  expect(await theirs.getByRole('status').innerText()).toBe('Changes saved.')
  await known(owner, cluster)
  await mine.getByLabel(machines).fill('5')
  expect((await press(mine, 'Save')).status()).toBe(412)
  expect(await settingsOf(owner, cluster)).toEqual({ ...before, max_machines: 3 })
  const note = await mine.getByRole('alert').innerText()
  expect(note).toContain('These settings changed while you were editing')
  expect(note).toContain(`Updated by ${admin.person.email}`)
  expect(note).toMatch(new RegExp(`Current: ${before.max_machines} → 3\\s*Your change: 5`))
  // The other setting is as it was, for both of them.
  expect(note.match(/→|Your change:/g)).toHaveLength(2)
  expect(await mine.getByLabel(machines).inputValue()).toBe('5')
  await press(mine, 'Apply my changes')
  expect(mine.url()).toBe(`${owner.root}/clusters/${cluster}?notice=saved`)
  expect(await settingsOf(owner, cluster)).toEqual({ ...before, max_machines: 5 })
})

test('what was not changed in the stale form is left as the other one has it', async () => {
  const owner = await scene.newOwner()
  const cluster = await newCluster(owner)
  const page = await scene.plain(owner, `/clusters/${cluster}/settings`)
  const other = await scene.plain(owner, `/clusters/${cluster}/settings`)
  const before = await settingsOf(owner, cluster)
  const turned = before.auto_scaling === 'active' ? 'inactive' : 'active'
  await choose(other, scaling, `${turned === 'active'}`)
  await press(other, 'Save')
  expect(await settingsOf(owner, cluster)).toEqual({ ...before, auto_scaling: turned })
  await page.getByLabel(machines).fill('7')
  await press(page, 'Save')
  const note = await page.getByRole('alert').innerText()
  expect(note).toMatch(/Current: (On → Off|Off → On)/)
  expect(note.match(/Your change: \w+/g)).toEqual(['Your change: 7'])
  await press(page, 'Apply my changes')
  expect(await settingsOf(owner, cluster)).toEqual({ max_machines: 7, auto_scaling: turned })
})

test('a second change between the two is asked about again', async () => {
  const owner = await scene.newOwner()
  const cluster = await newCluster(owner)
  const path = `/clusters/${cluster}/settings`
  const [page, other] = [await scene.plain(owner, path), await scene.plain(owner, path)]
  for (const most of ['3', '4']) {
    await other.goto(owner.root + path)
    await other.getByLabel(machines).fill(most)
    await press(other, 'Save')
    await page.getByLabel(machines).fill('5')
    const button = most === '3' ? 'Save' : 'Apply my changes'
    expect((await press(page, button)).status()).toBe(412)
    expect(await main(page)).toMatch(new RegExp(`Current: .*${most}\\s*Your change: 5`))
  }
  expect((await settingsOf(owner, cluster)).max_machines).toBe(4)
})

test('tabs of two workspaces do not disturb each other', async () => {
  const first = await scene.newOwner('First')
  const second = await scene.alsoIn(first, 'Second')
  const one = await scene.plain(first, '/clusters/new')
  const two = await one.context().newPage()
  await two.goto(`${second.root}/clusters/new`)
  await one.getByLabel('Name').fill('Of the first')
  await press(one, 'Create cluster')
  await two.getByLabel('Name').fill('Of the second')
  await press(two, 'Create cluster')
  expect([one.url(), two.url()].map(url => url.split('/clusters/')[0])).toEqual([first.root, second.root])
  for (const [seat, name] of [
    [first, 'Of the first'],
    [second, 'Of the second'],
  ] as const) {
    await one.goto(`${seat.root}/clusters`)
    expect(await one.locator('tbody th').allInnerTexts()).toEqual([name])
  }
})

test('a form of somebody who was removed meanwhile shows nothing, and changes nothing', async () => {
  const owner = await scene.newOwner('Left')
  const member = await scene.newColleague(owner, 'admin')
  const page = await scene.plain(member, '/clusters/new')
  await owner.send('DELETE', `/workspaces/${owner.workspace}/members/${member.person.id}`)
  await page.getByLabel('Name').fill('Too late')
  expect((await press(page, 'Create cluster')).status()).toBe(404)
  expect(await heading(page)).toBe('Not found')
  expect(((await owner.send('GET', '/clusters')) as unknown as { data: unknown[] }).data).toEqual([])
})
