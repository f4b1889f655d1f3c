/**
 * Reads a database URL as libpq does (PostgreSQL documentation, "Connection Strings" and "SSL Support"). Unknown
 * parameters are refused: a driver would pass them on as session settings, which a server or a pooler refuses
 * later.
 */
import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'

export interface DatabaseAddress {
  readonly hosts: readonly Host[]
  readonly user: string | undefined
  readonly password: string | undefined
  readonly database: string | undefined
  readonly encryption: readonly Encryption[]
  /** Reads the files that the URL names, which may have been replaced since. */
  tls(): ConnectionOptions
  readonly connectMs: number | undefined
  readonly session: Readonly<Record<'application_name' | 'options', string | undefined>>
  readonly target: Target
}

export interface Host {
  readonly name: string
  readonly port: number
  readonly path: string | undefined
}

/** `offered`: encrypted where the server offers it. */
export type Encryption = 'none' | 'offered' | 'required'
export type Target = 'any' | 'primary' | 'read-write'

const encryptions: Readonly<Record<string, readonly Encryption[]>> = {
  disable: ['none'],
  allow: ['none', 'required'],
  prefer: ['offered', 'none'],
  require: ['required'],
  'verify-ca': ['required'],
  'verify-full': ['required'],
}

/** Values that libpq knows and this product cannot support, with the reason. */
const impossible: Readonly<Record<string, string>> = {
  'channel_binding=require':
    'the driver does not bind channels: leave it out, and have the certificate verified by sslmode=verify-full',
  'gssencmode=require': 'the driver does not encrypt by GSSAPI: leave it out',
  'target_session_attrs=read-only': 'services write: take read-write',
  'target_session_attrs=standby': 'services write: take primary',
  'target_session_attrs=prefer-standby': 'services write: take primary',
}

const parameters: Readonly<Record<string, readonly string[] | undefined>> = {
  host: undefined,
  port: undefined,
  dbname: undefined,
  user: undefined,
  password: undefined,
  sslmode: Object.keys(encryptions),
  sslrootcert: undefined,
  sslcert: undefined,
  sslkey: undefined,
  channel_binding: ['disable', 'prefer'],
  gssencmode: ['disable', 'prefer'],
  connect_timeout: undefined,
  application_name: undefined,
  options: undefined,
  target_session_attrs: ['any', 'primary', 'read-write'],
}

/** @throws Error that says what is wrong with the URL without quoting it */
export function readConnectionString(url: string): DatabaseAddress {
  const { userinfo, authority, database, query } = split(url)
  const given = readParameters(query)
  const [user, password] = (userinfo ?? '').split(/:(.*)/s).map(decode)
  const { connect_timeout: seconds, target_session_attrs: target } = given
  if (seconds && !/^-?\d+$/.test(seconds)) refuse('connect_timeout must be a number of seconds')
  return {
    hosts: readHosts(authority, given),
    user: given.user || user || undefined,
    password: given.password || password || undefined,
    database: given.dbname || decode(database ?? '') || undefined,
    ...readTls(given),
    connectMs: Number(seconds) > 0 ? Number(seconds) * 1000 : undefined,
    session: { application_name: given.application_name, options: given.options },
    target: (target ?? 'any') as Target,
  }
}

export function changeConnectionString(
  url: string,
  change: { user?: string; password?: string; database?: string },
): string {
  const { userinfo, authority, database, query } = split(url)
  const [user, password] = (userinfo ?? '').split(/:(.*)/s)
  const given = readParameters(query)
  const as = (changed: string | undefined, named: string | undefined, before = '') =>
    changed === undefined
      ? named === undefined
        ? before
        : encodeURIComponent(named)
      : encodeURIComponent(changed)
  const credentials = [as(change.user, given.user, user), as(change.password, given.password, password)]
  const path = as(change.database, given.dbname, database)
  const rest = query?.split('&').filter(pair => pair && !/^(user|password|dbname)=/.test(pair)) ?? []
  return [
    'postgres://',
    credentials.join(':').replace(/:$/, ''),
    credentials.some(Boolean) ? '@' : '',
    authority,
    `/${path}`,
    rest.length > 0 ? `?${rest.join('&')}` : '',
  ].join('')
}

/** libpq knows no fragments, and passwords may contain `?`. */
function split(url: string) {
  const shape = /^postgres(?:ql)?:\/\/(?:([^@/]*)@)?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/s
  const [all, userinfo, authority = '', database, query] = shape.exec(url) ?? []
  return all === undefined ? refuse('must be a postgres:// URL') : { userinfo, authority, database, query }
}

function readParameters(query = ''): Partial<Record<string, string>> {
  const pairs = query.split('&').filter(Boolean)
  const given = pairs.map(pair => pair.split(/=(.*)/s).map(decode) as [string, string?])
  // As libpq does for JDBC.
  const translated = given.map(([name, value = '']) =>
    name === 'ssl' && value === 'true' ? ['sslmode', 'require'] : [name, value],
  )
  for (const [name = '', value = ''] of translated) {
    if (!Object.hasOwn(parameters, name))
      refuse(
        `has the parameter ${JSON.stringify(name)}, which is none of ${Object.keys(parameters).join(', ')}`,
      )
    const reason = impossible[`${name}=${value}`]
    if (reason) refuse(`has ${name}=${value}, but ${reason}`)
    if (value && parameters[name]?.includes(value) === false)
      refuse(`has an unknown ${name}, which is one of ${parameters[name].join(', ')}`)
  }
  return Object.fromEntries(translated.filter(([, value]) => value))
}

function readHosts(authority: string, given: Partial<Record<string, string>>): Host[] {
  const listed = authority.split(',').map(one => /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(one) ?? badHost())
  const names =
    given.host?.split(',') ?? listed.map(([, name = '']) => decode(name.replace(/^\[(.*)\]$/, '$1')))
  const ports = given.port?.split(',') ?? listed.map(([, , port = '']) => port)
  if (ports.length !== 1 && ports.length !== names.length)
    refuse(`has ${names.length} hosts and ${ports.length} ports`)
  return names.map((name, at) => {
    const text = (ports.length === 1 ? ports[0] : ports[at]) || '5432'
    const port = /^\d+$/.test(text) ? Number(text) : 0
    if (port < 1 || port > 65535) badHost()
    return {
      name: name || 'localhost',
      port,
      path: name.startsWith('/') ? `${name}/.s.PGSQL.${port}` : undefined,
    }
  })
}

const badHost = () =>
  refuse(
    'has a port that is no number from 1 to 65535; in a password, : / @ and % are written as %3A %2F %40 and %25',
  )

function readTls(given: Partial<Record<string, string>>) {
  const { sslrootcert, sslcert, sslkey } = given
  const system = sslrootcert === 'system'
  const mode = given.sslmode ?? (system ? 'verify-full' : 'prefer')
  if (system && mode !== 'verify-full')
    refuse(
      `has sslrootcert=system with sslmode=${mode}, which anyone with a certificate passes: take verify-full`,
    )
  if (mode.startsWith('verify') && !sslrootcert)
    refuse(
      `has sslmode=${mode} without sslrootcert: name the PEM file of the certificate authority, or "system" for those that Node.js trusts`,
    )
  if (!sslcert !== !sslkey) refuse('has one of sslcert and sslkey without the other')
  return {
    encryption: encryptions[mode] ?? [],
    tls: (): ConnectionOptions => ({
      // As in libpq, a root certificate makes it verify the chain in every mode.
      rejectUnauthorized: sslrootcert !== undefined,
      ...(sslrootcert && !system && { ca: read('sslrootcert', sslrootcert) }),
      ...(sslcert && { cert: read('sslcert', sslcert) }),
      ...(sslkey && { key: read('sslkey', sslkey) }),
      ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
    }),
  }
}

function read(parameter: string, path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    return refuse(`names a file as ${parameter} that cannot be read: ${(error as Error).message}`)
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return refuse('has a % that is not followed by two hexadecimal digits: % itself is written as %25')
  }
}

function refuse(problem: string): never {
  throw new Error(problem)
}
