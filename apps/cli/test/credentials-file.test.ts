// A configuration that belongs to another user, as in a container or on a read-only mount.
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { credentialsFile } from '../src/sign-in/credentials-file.ts'

const base_url = 'https://svc.example/v1'
const kept = { base_url, session_token: 'sess_secret', signed_in_at: 0 }

let said: string
let files: ReturnType<typeof credentialsFile>
let path: string
beforeEach(async () => {
  const home = await mkdtemp(join(tmpdir(), 'svc-config-'))
  onTestFinished(() => rm(home, { recursive: true }))
  await mkdir(join(home, 'svc'))
  await Promise.all([home, join(home, 'svc')].map(folder => chmod(folder, 0o755)))
  said = ''
  const stderr = { write: (text: string) => (said += text) }
  files = credentialsFile({ env: { XDG_CONFIG_HOME: home }, stderr: stderr as never })
  path = files.pathOf(base_url)
  await writeFile(path, JSON.stringify(kept))
  await chmod(path, 0o644)
})

test('a file of one’s own that others can read is narrowed', async () => {
  expect(await files.read(base_url)).toEqual(kept)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(said).toBe('')
})

// Only root can become somebody else.
describe.skipIf(process.geteuid?.() !== 0)('a file of somebody else', () => {
  beforeEach(() => {
    process.seteuid?.(65534)
    return () => process.seteuid?.(0)
  })

  test('is read, with a warning, where others can read it', async () => {
    expect(await files.read(base_url)).toEqual(kept)
    expect(said).toBe(
      `svc: ${path} can be read by others (mode 644), and svc may not change that (EPERM): chmod 600 it as its owner.\n`,
    )
  })

  test('is neither replaced nor removed, and the error names it', async () => {
    await expect(files.write(kept)).rejects.toThrow(`${path} cannot be written (EPERM).`)
    await expect(files.remove(base_url)).rejects.toThrow(`${path} cannot be removed (EACCES).`)
  })
})
