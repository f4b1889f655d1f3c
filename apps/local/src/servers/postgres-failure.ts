import { ownDatabaseHint } from './postgres-binaries.ts'

type Context = { port: number; data: string }

const known: [pattern: RegExp, say: (match: RegExpMatchArray, context: Context) => string][] = [
  [
    /could not bind .*Address already in use|could not create any TCP\/IP sockets/,
    (_, { port }) =>
      `port ${port} on 127.0.0.1 is in use. Stop whatever listens there, or leave the port unset to have a free one chosen`,
  ],
  [
    /error while loading shared libraries: ([^:]+)/,
    ([, library]) =>
      `the shared library ${library} is missing. Install the system package that has it, ${ownDatabaseHint}`,
  ],
  [
    /Library not loaded: (.+)/,
    ([, library]) => `the shared library ${library} is missing. Run "npm ci" again, ${ownDatabaseHint}`,
  ],
  [
    /GLIBC_\S+' not found/,
    () => `this system's C library is too old for its binaries. Use a newer system, ${ownDatabaseHint}`,
  ],
  [
    /was initialized by PostgreSQL version (\d+)/,
    ([, version], { data }) =>
      `the data in ${data} was written by PostgreSQL ${version}. Run that version, or start with another SVC_DATA_DIR`,
  ],
  [
    /lock file "postmaster.pid" already exists/,
    (_, { data }) => `another server is already using ${data}. Stop it first`,
  ],
  [
    /No space left on device/,
    (_, { data }) => `the disk that holds ${data} is full. Make room and start again`,
  ],
  [
    /invalid locale|locale .* (not|could not)|failed to restore old locale/i,
    () => `this system lacks the locale C. Install its base locales, ${ownDatabaseHint}`,
  ],
  [
    /could not (create|attach to|map|open|resize) (anonymous )?shared memory/,
    () => `there is not enough shared memory. Give the container more (--shm-size), ${ownDatabaseHint}`,
  ],
  [
    /invalid value for parameter "([^"]+)"|unrecognized configuration parameter "([^"]+)"/,
    ([, value, name]) => `the setting ${value ?? name} is invalid. Correct it`,
  ],
  [
    /Permission denied/,
    (_, { data }) =>
      `it has no access to ${data}. Check who owns that folder, or set SVC_DATA_DIR to another one`,
  ],
]

export function postgresFailure(program: string, exit: string, tail: string[], context: Context): Error {
  const text = tail.join('\n')
  for (const [pattern, say] of known) {
    const match = text.match(pattern)
    if (match) return new Error(`PostgreSQL did not start: ${say(match, context)}.`)
  }
  const said = tail.slice(-8).join('\n  ') || 'nothing'
  return new Error(`PostgreSQL did not start: ${program} ended with ${exit}. It said:\n  ${said}`)
}

export function postgresUnrunnable(program: string, error: unknown): Error {
  const { code } = error as NodeJS.ErrnoException
  const why =
    code === 'ENOENT'
      ? 'the file or the loader that it needs is missing (a system with musl, such as Alpine, has no glibc)'
      : `${code ?? error}`
  return new Error(
    `PostgreSQL did not start: ${program} cannot be run: ${why}. Run "npm ci" again, ${ownDatabaseHint}.`,
  )
}
