// The images of others are named by digest, and the script renews them. `docker` is a stand-in, since it would ask registries.
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { repoRoot } from '@svc/local/repo-root'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
const digest = (digit: string) => `sha256:${digit.repeat(64)}`

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'svc-images-'))
  await cp(join(repoRoot, 'deploy'), join(dir, 'deploy'), { recursive: true })
  await cp(join(repoRoot, 'docker-compose.yml'), join(dir, 'docker-compose.yml'))
  await mkdir(join(dir, 'bin'))
  const script = '#!/bin/sh\necho "$*" >> asked\necho "$ANSWER"\n'
  await writeFile(join(dir, 'bin/docker'), script, { mode: 0o755 })
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const renew = (answer: string) =>
  run(process.execPath, [join(repoRoot, 'scripts/renew-images.mjs')], {
    cwd: dir,
    env: { PATH: `${join(dir, 'bin')}:${dirname(process.execPath)}:${process.env.PATH}`, ANSWER: answer },
  })

/** Every image that is named, but for those that we build. */
async function images(): Promise<string[]> {
  const files = (await readdir(join(dir, 'deploy'), { recursive: true }))
    .filter(path => /Dockerfile$|\.yaml$/.test(path))
    .map(path => join('deploy', path))
  const texts = await Promise.all(
    [...files, 'docker-compose.yml'].map(path => readFile(join(dir, path), 'utf8')),
  )
  return texts.flatMap(text =>
    [...text.matchAll(/(?:\bimage(?:Name)?: |_IMAGE=)(?!svc-)(\S+)/g)].map(([, image = '']) => image),
  )
}

test('each image has a tag and a digest, one for all places that name it', async () => {
  const all = (await images()).filter(image => !image.includes('cloudnative-pg'))
  expect(all.filter(image => !/^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/.test(image))).toEqual([])
  expect(new Set(all).size).toBe(new Set(all.map(image => image.split('@')[0])).size)
  expect(all.length).toBeGreaterThan(8)
})

test('what the registries say is written everywhere, each image asked for once', async () => {
  const before = await images()
  const { stdout } = await renew(digest('a'))
  const tags = before.map(image => image.split('@')[0])
  expect(await images()).toEqual(tags.map(tag => `${tag}@${digest('a')}`))
  const asked = (await readFile(join(dir, 'asked'), 'utf8')).trim().split('\n')
  expect(asked.sort()).toEqual(
    [...new Set(tags)].map(tag => `buildx imagetools inspect ${tag} --format {{.Manifest.Digest}}`).sort(),
  )
  expect(stdout.trim().split('\n')).toHaveLength(asked.length)
})

test('what is no digest is not written', async () => {
  const before = await images()
  const refused = await renew('unauthorized').catch(error => error)
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('docker says no digest of node:24-alpine, but: unauthorized'),
  ])
  expect(await images()).toEqual(before)
})
