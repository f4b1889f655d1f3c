import { expect, test } from 'vitest'
import { readConfig, databaseConfig } from '../../src/config.ts'
import { changeConnectionString, readConnectionString } from '../../src/connection/connection-string.ts'

const localhost = { name: 'localhost', port: 5432, path: undefined }

test.each([
  ['postgres://', { hosts: [localhost], user: undefined, password: undefined, database: undefined }],
  ['postgresql:///svc', { hosts: [localhost], database: 'svc' }],
  ['postgres://offers@db.example.com', { hosts: [{ name: 'db.example.com', port: 5432 }], user: 'offers' }],
  ['postgres://u:p%40%2F%3A%25@h:6432/d%20b', { user: 'u', password: 'p@/:%', database: 'd b' }],
  ['postgres://u:what?#1@h/svc', { user: 'u', password: 'what?#1', database: 'svc' }],
  ['postgres://u:a:b@h/svc', { user: 'u', password: 'a:b' }],
  ['postgres://[::1]:6432/svc', { hosts: [{ name: '::1', port: 6432 }] }],
  [
    'postgres://a,b:6432/svc',
    {
      hosts: [
        { name: 'a', port: 5432 },
        { name: 'b', port: 6432 },
      ],
    },
  ],
  [
    'postgres:///svc?host=a,b&port=1',
    {
      hosts: [
        { name: 'a', port: 1 },
        { name: 'b', port: 1 },
      ],
    },
  ],
  [
    'postgres:///svc?host=a,b&port=1,2',
    {
      hosts: [
        { name: 'a', port: 1 },
        { name: 'b', port: 2 },
      ],
    },
  ],
  ['postgres://%2Fvar%2Frun:6432/svc', { hosts: [{ port: 6432, path: '/var/run/.s.PGSQL.6432' }] }],
  ['postgres:///svc?host=/tmp', { hosts: [{ path: '/tmp/.s.PGSQL.5432' }] }],
  ['postgres://a@h/x?user=b&password=c&dbname=d', { user: 'b', password: 'c', database: 'd' }],
  ['postgres://h/?connect_timeout=7', { connectMs: 7000 }],
  ['postgres://h/?connect_timeout=0', { connectMs: undefined }],
  ['postgres://h/?application_name=a%20b', { session: { application_name: 'a b', options: undefined } }],
  [
    'postgres://h/?options=-c%20geqo%3Doff',
    { session: { application_name: undefined, options: '-c geqo=off' } },
  ],
  ['postgres://h/?target_session_attrs=primary', { target: 'primary' }],
  ['postgres://h/', { encryption: ['offered', 'none'], target: 'any' }],
  ['postgres://h/?ssl=true', { encryption: ['required'] }],
  ['postgres://h/?sslrootcert=system', { encryption: ['required'] }],
  ['postgres://h/?sslmode=require&channel_binding=prefer&gssencmode=disable', { encryption: ['required'] }],
])('%s is read as libpq reads it', (url, expected) => {
  expect(readConnectionString(url)).toMatchObject(expected)
})

test.each([
  ['mysql://h/svc', 'must be a postgres:// URL'],
  ['postgres://u:pa/ss@h/svc', 'in a password, : / @ and % are written as'],
  ['postgres://h:0/svc', 'a port that is no number from 1 to 65535'],
  ['postgres://u:100%@h/svc', '% itself is written as %25'],
  ['postgres:///svc?host=a,b,c&port=1,2', 'has 3 hosts and 2 ports'],
  ['postgres://h/svc?pgbouncer=true', 'has the parameter "pgbouncer", which is none of host, port'],
  ['postgres://h/svc?sslmode=no-verify', 'has an unknown sslmode, which is one of disable, allow, prefer'],
  ['postgres://h/svc?sslmode=verify-full', 'has sslmode=verify-full without sslrootcert'],
  ['postgres://h/svc?sslmode=verify-ca', 'has sslmode=verify-ca without sslrootcert'],
  ['postgres://h/svc?sslrootcert=system&sslmode=require', 'take verify-full'],
  ['postgres://h/svc?sslrootcert=/no/such.pem', 'as sslrootcert that cannot be read: ENOENT'],
  ['postgres://h/svc?sslcert=/a.pem', 'one of sslcert and sslkey without the other'],
  [
    'postgres://h/svc?channel_binding=require',
    'has channel_binding=require, but the driver does not bind channels',
  ],
  ['postgres://h/svc?target_session_attrs=standby', 'services write: take primary'],
  ['postgres://h/svc?connect_timeout=soon', 'connect_timeout must be a number of seconds'],
])('%s is refused at the start, by the name of the variable and without the value', (url, problem) => {
  const start = () => readConfig({ DATABASE_URL: databaseConfig.DATABASE_URL }, { DATABASE_URL: url })
  expect(start).toThrow(problem)
  expect(start).toThrow('  DATABASE_URL: ')
  expect(start).not.toThrow(url)
})

test.each([
  ['postgres://a:b@h1:1,h2:2/x?sslmode=require', 'postgres://u:p%40@h1:1,h2:2/svc?sslmode=require'],
  ['postgresql://%2Fvar%2Frun', 'postgres://u:p%40@%2Fvar%2Frun/svc'],
  ['postgres:///x?host=h&user=a&password=b&dbname=y&port=1', 'postgres://u:p%40@/svc?host=h&port=1'],
])('%s for another role and another database stays what it was', (url, expected) => {
  expect(changeConnectionString(url, { user: 'u', password: 'p@', database: 'svc' })).toBe(expected)
})

test.each([
  ['postgres://a:b%2F@h/x', 'postgres://a:c@h/x'],
  ['postgres:///x?user=a&host=h', 'postgres://a:c@/x?host=h'],
])('%s with another password names the same role and database', (url, expected) => {
  expect(changeConnectionString(url, { password: 'c' })).toBe(expected)
})
