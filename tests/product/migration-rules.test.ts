// The services' numbered files let the release before live with them, as far as their texts show it.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serviceNames } from '@svc/contract/manifest'
import { repoRoot } from '@svc/local/repo-root'
import { brokenRules, narrowings } from '@svc/testing/statements/migration-rules'
import { describe, expect, test } from 'vitest'

const { version } = JSON.parse(readFileSync(join(repoRoot, 'package.json'), 'utf8'))

test.each(serviceNames)('the numbered files of %s keep to the rules', service => {
  const folder = join(repoRoot, 'services', service, 'migrations')
  const files = readdirSync(folder)
    .filter(name => /^\d{4}_.*\.sql$/.test(name))
    .sort()
    .map(name => ({ name: name.replace('.sql', ''), text: readFileSync(join(folder, name), 'utf8') }))
  expect(files.length).toBeGreaterThan(0)
  expect(brokenRules(files, version)).toEqual([])
})

const init = `create table offers (id text primary key, note text, state text default 'open');
create function total(text) returns integer language sql as $$ select 1; drop table offers $$;
create unique index offers_once on offers (note);`

describe('migrations of a release 1.3.0', () => {
  const rulesOf = (from: string, sql: string, second = '1.1.0') => {
    const file = (name: string, compatible_from: string, text: string) => ({
      name,
      text: `-- compatible_from: ${compatible_from}\n${text}\n`,
    })
    const files = [
      file('0001_init', '1.0.0', init),
      file('0002_more', second, 'alter table offers add column more text;'),
      file('0003_new', from, sql),
    ]
    return brokenRules(files, '1.3.0')
  }

  test('a file that only adds may name any release since the file before it', () => {
    for (const from of ['1.1.0', '1.2.0', '1.2.9'])
      expect(rulesOf(from, 'alter table offers add column other text;')).toEqual([])
  })

  test.each([
    ['the release that brings it', '1.3.0', '1.3.0 is not before 1.3.0'],
    ['a release that is not there yet', '1.10.0', '1.10.0 is not before 1.3.0'],
    ['an older release than the file before it', '1.0.0', '1.0.0 cannot work with 0002_more'],
  ])('a file may not name %s', (_what, from, reason) => {
    expect(rulesOf(from, 'create table others ();')).toEqual([expect.stringContaining(reason)])
  })

  test('a file that does not say anything is an error', () => {
    expect(() => brokenRules([{ name: '0001_init', text: init }], '1.3.0')).toThrow(
      '0001_init.sql does not say',
    )
  })

  test('what 1.1.0 may use is taken away for later releases only', () => {
    const drop = 'alter table offers drop column more;'
    expect(rulesOf('1.1.0', drop)).toEqual([
      expect.stringContaining('0002_more has it for releases from 1.1.0'),
    ])
    expect(rulesOf('1.2.0', drop)).toEqual([])
  })

  test('a function, which no numbered file names, is as old as the first of them', () => {
    expect(rulesOf('1.0.0', 'drop function elsewhere(text);', '1.0.0')).toHaveLength(1)
    expect(rulesOf('1.1.0', 'drop function elsewhere(text);')).toEqual([])
  })

  test('what is older may go as soon as a release has stopped using it', () => {
    expect(rulesOf('1.1.0', 'alter table offers drop column note;')).toEqual([])
    expect(rulesOf('1.0.0', 'alter table offers drop column note;', '1.0.0')).toHaveLength(1)
  })
})

test.each([
  ['drop table offers', ['offers']],
  ['DROP TABLE IF EXISTS offers', ['offers']],
  ['drop function total(text)', ['total']],
  ['drop index offers_once', ['offers_once']],
  ['alter table offers drop column note', ['note', 'offers']],
  ['alter table only offers\n  add column more text,\n  drop note', ['note', 'offers']],
  ['alter table offers drop constraint offers_check', ['offers_check', 'offers']],
  ['alter table offers rename to others', ['offers']],
  ['alter table offers rename column note to notes', ['note', 'offers']],
  ['alter table offers rename note to notes', ['note', 'offers']],
  ['alter table offers alter column note set not null', ['note', 'offers']],
  ['alter table offers alter note drop default', ['note', 'offers']],
  ['alter table offers alter column note type integer using 1', ['note', 'offers']],
  ['alter table offers alter column note set data type numeric(5, 2)', ['note', 'offers']],
  ['alter table offers add column more text not null', ['offers']],
  ['alter table offers add more text primary key', ['offers']],
  ["alter table offers add constraint short check (length(note) < 5 and note <> ',')", ['offers']],
  ['alter table offers add unique (note)', ['offers']],
  ['create unique index concurrently on offers (note)', ['offers']],
  ['alter type state rename value a to b', ['a', 'state']],
])('"%s" takes something from releases before', (sql, names) => {
  expect(narrowings(`${sql};`).map(one => one.names)).toEqual([names])
})

test.each([
  'create table others (id text primary key)',
  'create table others (id text); alter table others drop column id; create unique index on others (id)',
  "alter table offers add column more text not null default 'drop table offers;'",
  'alter table offers add column more numeric(5, 2) default 0, add column note_length integer generated always as (length(note)) stored not null',
  'alter table offers alter column note drop not null',
  'alter table offers alter column note set default 1',
  'create index on offers (note)',
  '-- drop table offers;\n/* drop table offers; */ update offers set note = $$; drop table offers;$$',
  'create table others (); -- Up\n-- Down Migration\ndrop table offers',
])('"%s" takes nothing from releases before', sql => {
  expect(narrowings(`${sql};`)).toEqual([])
})
