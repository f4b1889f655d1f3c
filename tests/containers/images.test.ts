import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { settings } from './settings.ts'

const { labels, secretMark } = settings
const services = Object.keys(settings.builds)
const docker = (...args: string[]) => execFileSync('docker', args, { encoding: 'utf8' })
const inImage = (service: string, script: string) =>
  docker(
    'run',
    '--rm',
    '--network',
    'none',
    '--read-only',
    '--entrypoint',
    'sh',
    `svc-${service}`,
    '-c',
    script,
  )

test.each(services)('the image of %s has no npm, sources, maps or tests, and all migrations', service => {
  expect(
    inImage(service, 'which npm npx corepack yarn; ls /usr/local/lib/node_modules 2>/dev/null; true'),
  ).toBe('')
  const unwanted =
    "-name '*.ts' -o -name '*.tsx' -o -name '*.map' -o -name test -o -name tests -o -name .npmrc"
  expect(inImage(service, `find /app \\( ${unwanted} \\)`)).toBe('')
  expect(inImage(service, 'ls /app/libs').trim().split('\n')).toEqual([
    'bus',
    'contract',
    'outbound',
    'runtime',
    'telemetry',
  ])
  const migrations = inImage(service, 'ls -d /app/services/*/migrations').trim().split('\n')
  expect(migrations.map(path => path.split('/')[3])).toEqual(['activity', 'auth-tokens', 'compute', 'offers'])
  expect(inImage(service, 'ls /app/services/*/dist/main.js').trim()).toBe(
    `/app/services/${service}/dist/main.js`,
  )
})

test.each(services)('the image of %s says what it is, and runs as node', service => {
  const [{ Config }] = JSON.parse(docker('image', 'inspect', `svc-${service}`))
  expect(Config.User).toBe('node')
  expect(Config.Labels).toMatchObject({
    'org.opencontainers.image.title': `svc-${service}`,
    'org.opencontainers.image.version': labels.VERSION,
    'org.opencontainers.image.revision': labels.REVISION,
    'org.opencontainers.image.source': labels.SOURCE,
  })
  expect(inImage(service, 'node --version')).toMatch(/^v24\./)
})

test.each(services)('from the image of %s secrets can be made', service => {
  const { items } = JSON.parse(inImage(service, 'node /app/deploy/kubernetes/make-secrets.mjs small'))
  expect(items.length).toBeGreaterThan(3)
})

test('an edit of a source installs nothing again, which the build without a network would show', () => {
  appendFileSync(join(settings.project, 'services/gateway/src/main.ts'), '\n// edited\n')
  const { status, stdout, stderr } = spawnSync(
    'podman',
    [...(settings.builds.gateway as string[]), '--tag', 'edited', '--network', 'none', '.'],
    { cwd: settings.project, env: settings.podman.env, encoding: 'utf8' },
  )
  expect(status, `${stdout}\n${stderr}`).toBe(0)
  expect(stdout).toContain('@svc/gateway:build')
  expect(stdout).not.toMatch(/added \d+ packages/)
})

test('no layer has a file that was given to the build as a secret', () => {
  const storage = settings.podman.args[settings.podman.args.indexOf('--root') + 1] as string
  const { status, stdout } = spawnSync('grep', ['-rlF', secretMark, join(storage, 'overlay')], {
    encoding: 'utf8',
  })
  // The tests' own text is part of no image.
  expect(stdout).toBe('')
  expect(status).toBe(1)
})
