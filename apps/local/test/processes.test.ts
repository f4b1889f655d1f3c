import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type SuperviseOptions, superviseProcess } from '../src/processes/processes.ts'
import { repoRoot } from '../src/repo-root.ts'
import { waitUntil } from '../src/wait-until.ts'
import { tempFolder } from './temp-folder.ts'

test('a crashed process is reported in one line and started again', async () => {
  const { supervised, lines, starts } = await supervise(`
    console.log('hello')
    console.error('the disk caught fire')
    setInterval(() => {}, 1000)
  `)
  await supervised.untilReady()
  const { pid } = supervised
  supervised.kill('SIGKILL')
  await waitUntil('a second process', async () => supervised.pid !== pid && (await starts()) === 2)
  await supervised.untilReady()
  expect(lines).toContain('demo | hello')
  const reports = lines.filter(line => line.startsWith('demo crashed'))
  expect(reports).toHaveLength(1)
  expect(reports[0]).toMatch(/signal SIGKILL .*the disk caught fire .*starting it again in 100 ms/)
})

test('a process starts with the flags with which it starts in an image', async () => {
  const { supervised, lines } = await supervise(`
    console.log(process.execArgv.join(' '))
    setInterval(() => {}, 1000)
  `)
  await supervised.untilReady()
  const flags = await readFile(join(repoRoot, 'deploy/node-flags'), 'utf8')
  await waitUntil('its flags', () => lines.includes(`demo | ${flags.trim()}`))
})

test('pauses between restarts double', async () => {
  const { supervised, lines } = await supervise('process.exit(3)')
  await expect(supervised.untilReady()).rejects.toThrow('demo does not start: exit code 3')
  const pauses = lines.flatMap(line => line.match(/again in (\d+) ms/)?.[1] ?? [])
  expect(pauses.slice(0, 3)).toEqual(['100', '200', '400'])
})

test('without restarts a process that ends stays down until it is started', async () => {
  const { supervised, starts } = await supervise('setInterval(() => {}, 1000)', { restart: false })
  await supervised.untilReady()
  supervised.kill('SIGKILL')
  await waitUntil('its end', () => !supervised.running())
  await expect(supervised.untilReady()).rejects.toThrow('demo does not start: signal SIGKILL')
  expect(supervised.pid).toBeUndefined()
  await supervised.start()
  expect(supervised.running()).toBe(true)
  expect(await starts()).toBe(2)
})

test('stop lets the process finish', async () => {
  const { supervised, lines } = await supervise(`
    process.on('SIGTERM', () => { console.log('drained'); process.exit(0) })
    setInterval(() => {}, 1000)
  `)
  await supervised.untilReady()
  expect(await supervised.stop()).toEqual({ code: 0, signal: null })
  expect(lines).toEqual(['demo | drained'])
})

test('stop kills a process that does not finish', async () => {
  const { supervised } = await supervise(`
    process.on('SIGTERM', () => {})
    setInterval(() => {}, 1000)
  `)
  await supervised.untilReady()
  expect(await supervised.stop(200)).toEqual({ code: null, signal: 'SIGKILL' })
  expect(await supervised.stop()).toBeUndefined()
})

test('a process ends when the one that started it is killed', async () => {
  const folder = await tempFolder()
  const inner = await script(folder, 'inner.mjs', 'setInterval(() => {}, 1000)')
  const outer = await script(
    folder,
    'outer.mjs',
    `
    import { superviseProcess } from ${JSON.stringify(new URL('../dist/processes/processes.js', import.meta.url).href)}
    import { writeFileSync } from 'node:fs'
    const supervised = await superviseProcess({
      name: 'inner', script: ${JSON.stringify(inner)}, env: process.env, ready: async () => true, restart: true,
    })
    writeFileSync(${JSON.stringify(join(folder, 'inner.pid'))}, String(supervised.pid))
  `,
  )
  const supervised = await superviseProcess({
    name: 'outer',
    script: outer,
    env: process.env,
    ready: async () => (await readFile(join(folder, 'inner.pid'), 'utf8')) !== '',
    restart: false,
  })
  await supervised.untilReady()
  const pid = Number(await readFile(join(folder, 'inner.pid'), 'utf8'))
  expect(await isRunning(pid)).toBe(true)
  supervised.kill('SIGKILL')
  await waitUntil('the end of the inner process', async () => !(await isRunning(pid)))
})

async function supervise(source: string, options: Partial<SuperviseOptions> = {}) {
  const folder = await tempFolder()
  const started = join(folder, 'started')
  const file = await script(
    folder,
    'demo.mjs',
    `import { appendFileSync } from 'node:fs'\n${source}\nappendFileSync(${JSON.stringify(started)}, 'x')`,
  )
  const lines: string[] = []
  const starts = async () => (await readFile(started, 'utf8')).length
  let startsSeen = 0
  const supervised = await superviseProcess({
    name: 'demo',
    script: file,
    env: process.env,
    // Ready again after every start, once all of the script has run.
    ready: async () => {
      const now = await starts()
      const more = now > startsSeen
      startsSeen = now
      return more
    },
    restart: true,
    onLine: line => lines.push(line),
    ...options,
  })
  onTestFinished(async () => {
    await supervised.stop(0)
  })
  return { supervised, lines, starts }
}

async function script(folder: string, name: string, source: string): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, source)
  return file
}

async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  // Orphans stay as zombies if nothing reaps them.
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return !/\) Z /.test(stat)
}
