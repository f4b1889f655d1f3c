import { execFileSync } from 'node:child_process'
import { afterAll, beforeEach, expect, onTestFailed, test } from 'vitest'
import { TextBrowser } from '../../services/gateway/test/web/text-browser.ts'
import { settings } from './settings.ts'
import { commandsOf, Shell } from './shell.ts'

const { project } = settings
const shell = new Shell(project)
const compose = (...args: string[]) =>
  execFileSync('docker', ['compose', ...args], { cwd: project, encoding: 'utf8' })
/** The images are there already. */
const built = (commands: string) => commands.replaceAll(' --build', '')

interface Inspected {
  Config: { Labels: Record<string, string>; User: string }
  HostConfig: {
    ReadonlyRootfs: boolean
    CapDrop: string[]
    CapAdd: string[] | null
    Memory: number
    LogConfig: { Config: Record<string, string> }
  }
  State: { ExitCode: number; Running: boolean; OOMKilled: boolean }
  NetworkSettings: { Ports: Record<string, { HostIp: string; HostPort: string }[] | null> }
}

function containers(): Record<string, Inspected> {
  const ids = compose('--profile', '*', 'ps', '--all', '--quiet').trim().split('\n')
  const all = JSON.parse(execFileSync('docker', ['inspect', ...ids], { encoding: 'utf8' })) as Inspected[]
  return Object.fromEntries(all.map(each => [each.Config.Labels['com.docker.compose.service'], each]))
}

const ours = ['gateway', 'offers', 'auth-tokens', 'compute', 'activity', 'compute-agent']
const running = [...ours, 'postgres', 'nats']
const [start = ''] = commandsOf(project, 'docs/running/deployment.md', '## docker compose')
const [signIn = '', create = ''] = commandsOf(project, 'docs/running/deployment.md', '### The first offer')
const [agent = ''] = commandsOf(project, 'docs/running/deployment.md', '### The agent')
const readme = commandsOf(project, 'README.md', '## Try it')
  .join('')
  .split('\n')
  .filter(line => !line.includes('.svc/dev.json'))
  .join('\n')

const password = 'unlikely words in a row'
let offer: { id: string; short_hash: string }

beforeEach(() => {
  onTestFailed(() => console.log(compose('--profile', '*', 'logs', '--no-color', '--tail', '30')))
})

afterAll(() => {
  shell.close()
  compose('--profile', '*', 'down', '--volumes')
})

test('it starts, and the first person gets a link with which to choose a password', async () => {
  const printed = await shell.run(built(start))
  const [link = ''] = /http:\/\/localhost:8080\/\S+/.exec(printed) ?? []
  const page = await new TextBrowser().newPage()
  expect((await page.goto(link)).status(), printed).toBe(200)
  await page.getByLabel('New password').fill(password)
  await page.press('Save and sign in')
  await page.waitForURL('http://localhost:8080/sessions')
})

test('the person signs in on a command line, and makes what is needed for an offer', async () => {
  const printed = await shell.run(signIn)
  const page = await new TextBrowser().newPage()
  await page.goto(printed.trim())
  await page.getByLabel('Email address').fill('you@example.com')
  await page.getByLabel('Password').fill(password)
  await page.press('Sign in')
  await page.press('Continue')
  await page.press('Approve')
  const made = await shell.run(create)
  expect(await shell.run('echo "$base $token $product $cluster"'), made).toMatch(
    /^http:\/\/localhost:8080\/v1 sk_svc_\S+ prod_\S+ clus_\S+\n$/,
  )
})

test('the lines of the README make an offer, whose page is shown', async () => {
  const printed = await shell.run(readme)
  const [, text = ''] = /^(\{.*?\})(?=\{|$)/m.exec(printed) ?? []
  offer = JSON.parse(text)
  expect(printed).toContain('"data":[]')
  const page = await new TextBrowser().newPage()
  expect((await page.goto(`http://localhost:8080/i/${offer.short_hash}`)).status()).toBe(200)
  expect((await page.goto('http://localhost:8080/docs')).status()).toBe(200)
})

test('the agent starts with the clusters that are named, and is refused without', async () => {
  const unnamed =
    'unset CLUSTERS; docker compose -f docker-compose.yml -f docker-compose.agent.yml config --quiet'
  await expect(shell.run(unnamed)).rejects.toThrow(/CLUSTERS.*name the clusters/)
  await shell.run(built(agent))
  expect(containers()['compute-agent']?.State.Running).toBe(true)
})

test('nothing is published but the gateway, for this machine alone', () => {
  const published = Object.entries(containers()).flatMap(([name, { NetworkSettings }]) =>
    Object.values(NetworkSettings.Ports).flatMap(bindings =>
      (bindings ?? []).map(binding => ({ name, ...binding })),
    ),
  )
  expect(published).toEqual([{ name: 'gateway', HostIp: '127.0.0.1', HostPort: '8080' }])
})

test.each(running)('%s is confined', name => {
  const { HostConfig } = containers()[name] as Inspected
  expect(HostConfig).toMatchObject({ ReadonlyRootfs: true, CapDrop: ['ALL'], CapAdd: null })
  expect(HostConfig.Memory).toBeGreaterThan(0)
  expect(HostConfig.LogConfig.Config).toEqual({ 'max-size': '10m', 'max-file': '5' })
  const command = ['exec', '-T', name]
  const status = compose(...command, 'cat', '/proc/1/status')
  expect(status).toMatch(/^Uid:\t(?!0\t)/m)
  for (const set of ['CapPrm', 'CapEff', 'CapBnd']) expect(status).toMatch(new RegExp(`^${set}:\\t0+$`, 'm'))
  expect(status).toMatch(/^NoNewPrivs:\t1$/m)
  expect(compose(...command, 'sh', '-c', '(echo > /written) 2>/dev/null || echo refused').trim()).toBe(
    'refused',
  )
})

test('SIGTERM ends every process of ours with 0', () => {
  compose('--profile', '*', 'stop')
  const stopped = containers()
  for (const name of ours)
    expect(stopped[name]?.State, name).toMatchObject({ Running: false, ExitCode: 0, OOMKilled: false })
})

test('started again, it has kept what was made', async () => {
  await shell.run('docker compose up --detach --wait')
  expect(await shell.run(readme)).toContain(offer.id)
  const read = `curl -sS --fail-with-body $base/offers/${offer.id} -H "Authorization: Bearer $token"`
  expect(JSON.parse(await shell.run(read))).toMatchObject({ id: offer.id })
})
