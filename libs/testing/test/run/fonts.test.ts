import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { startBrowser } from '../../src/browser.ts'
import { configureFonts } from '../../src/run/fonts.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc fonts & more '))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
})

const configuration = () => readFile(join(folder, 'fonts.conf'), 'utf8')

test('names the folder of the fonts, wherever it is, and those of the system', async () => {
  await mkdir(join(folder, 'Open Sans'))
  await writeFile(join(folder, 'Open Sans', 'regular.ttf'), '')
  await configureFonts(folder, ['/usr/share/fonts'])
  expect(await configuration()).toContain(`<dir>${folder.replaceAll('&', '&amp;')}</dir>`)
  expect(await configuration()).toContain('<dir>/usr/share/fonts</dir>')
})

test('a system font is enough', async () => {
  const others = join(folder, 'system')
  await mkdir(others)
  await writeFile(join(others, 'some.otf'), '')
  await configureFonts(folder, [others, '/nonexistent'])
  expect(await configuration()).toContain('<fontconfig>')
})

test('says what to do if there is no font', async () => {
  await writeFile(join(folder, 'fonts.conf'), 'what the package brings')
  await expect(configureFonts(folder, ['/nonexistent'])).rejects.toThrow(
    /finds no font \(looked in .*svc fonts & more .*, \/nonexistent\).*npm ci.*apt-get install/,
  )
})

describe('the browser', () => {
  test('draws text', async () => {
    const { browser, close } = await startBrowser()
    onTestFinished(close)
    const page = await browser.newPage()
    await page.setContent('<span>Letters</span><span></span>')
    const [drawn, empty] = await page
      .locator('span')
      .evaluateAll(all => all.map(one => (one as unknown as { offsetWidth: number }).offsetWidth))
    expect(drawn).toBeGreaterThan(20)
    expect(empty).toBe(0)
  })
})
