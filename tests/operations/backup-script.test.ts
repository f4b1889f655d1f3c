// deploy/backup/backup.sh, with a pg_dump that does as it is told. restore.test.ts has it with PostgreSQL's own.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repoRoot } from '@svc/local/repo-root'
import { expect, onTestFinished, test } from 'vitest'

const day = 86_400

/** Backs up into a folder with a dump of each of these ages in days, and one that was never finished. */
function backUp(pgDump: string, pgRestore = 'echo "1; 0 0 TABLE DATA offers offers offers"') {
  const folder = mkdtempSync(join(tmpdir(), 'svc-backup-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [tools, kept] = [join(folder, 'tools'), join(folder, 'kept')]
  mkdirSync(tools)
  mkdirSync(kept)
  for (const [name, text] of Object.entries({ pg_dump: pgDump, pg_restore: pgRestore })) {
    writeFileSync(join(tools, name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(tools, name), 0o755)
  }
  for (const age of [1, 20]) {
    const file = join(kept, `svc-${age}.dump`)
    writeFileSync(file, '')
    utimesSync(file, Date.now() / 1000 - age * day, Date.now() / 1000 - age * day)
  }
  writeFileSync(join(kept, 'svc-0.dump.part'), '')
  const { status } = spawnSync('sh', [join(repoRoot, 'deploy/backup/backup.sh')], {
    env: {
      PATH: `${tools}:${process.env.PATH}`,
      DATABASE_URL: 'postgres://backup@host/svc',
      BACKUP_DIR: kept,
    },
    encoding: 'utf8',
  })
  return { status, files: readdirSync(kept).sort() }
}

const written =
  'for word; do case $word in --file=*) echo dump > "$(echo "$word" | cut -d= -f2-)";; esac; done'

test('a dump is kept beside those of the last two weeks', () => {
  const { status, files } = backUp(written)
  expect(status).toBe(0)
  expect(files).toEqual(['svc-1.dump', expect.stringMatching(/^svc-\d{8}T\d{6}Z\.dump$/)])
})

test.each([
  ['fails', `${written}; exit 1`, undefined],
  ['has nothing of the services in it', written, 'echo "1; 0 0 SCHEMA public"'],
])('a dump that %s is none, and older ones stay', (_, pgDump, pgRestore) => {
  const { status, files } = backUp(pgDump, pgRestore)
  expect(status).not.toBe(0)
  expect(files.filter(name => name.endsWith('.dump'))).toEqual(['svc-1.dump', 'svc-20.dump'])
})
