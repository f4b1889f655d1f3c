// Runs `npm test` under stress: `node scripts/stress-tests.mjs [busy|half-core|one-core|memory …] [--rounds 3] [--
// TESTS …]`, all four by default. Prints wall time and processor seconds of each run; ends with 1 if one failed.
// Linux; all but `busy` need root, for a control group (version 1 or 2).
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { prepare, root } from './prepare.mjs'

const busyLoops = 6
const kinds = {
  busy: {},
  'half-core': { processors: 0.5 },
  'one-core': { processors: 1 },
  memory: { gigabytes: 4 },
}

const own = process.argv.slice(2)
const end = own.indexOf('--')
const tests = end < 0 ? [] : own.splice(end).slice(1)
const { values, positionals } = parseArgs({
  args: own,
  options: { rounds: { type: 'string', default: '3' } },
  allowPositionals: true,
})
const names = positionals.length > 0 ? positionals : Object.keys(kinds)
const unknown = names.find(name => !Object.hasOwn(kinds, name))
if (unknown) {
  console.error(`There is no stress "${unknown}": ${Object.keys(kinds).join(', ')}.`)
  process.exit(2)
}

await prepare()
const results = []
let failed = false
for (const name of names) {
  for (let round = 1; round <= Number(values.rounds); round++) {
    const { code, wall, cpu } = await runUnder(name)
    failed ||= code !== 0
    results.push(
      `${code === 0 ? 'ok    ' : 'FAILED'} ${name}, round ${round}: ${wall} s, ${cpu ?? 'unknown'} processor seconds`,
    )
    console.log(results.at(-1))
  }
}
console.log(['== stress', ...results].join('\n'))
process.exitCode = failed ? 1 : 0

async function runUnder(name) {
  const group = makeGroup(name, kinds[name])
  const loops = name === 'busy' ? Array.from({ length: busyLoops }, burn) : []
  const began = performance.now()
  try {
    const code = await runTests(group)
    return { code, wall: Math.round((performance.now() - began) / 1000), cpu: group?.usedSeconds() }
  } finally {
    for (const loop of loops) loop.kill('SIGKILL')
    await group?.remove()
  }
}

function burn() {
  // It ends by itself if this process is killed.
  return spawn(process.execPath, ['--eval', 'const { ppid } = process; while (process.ppid === ppid);'], {
    stdio: 'ignore',
  })
}

function runTests(group) {
  const enter = group ? group.folders.map(folder => `echo $$ > '${folder}/cgroup.procs'`) : []
  const script = [...enter, 'exec "$@"'].join(' && ')
  const words = [process.execPath, join(root, 'scripts/test.mjs'), ...tests]
  const child = spawn('sh', ['-c', script, 'sh', ...words], { cwd: root, stdio: 'inherit' })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(signal ? 1 : code))
  })
}

/** @returns undefined if there can be none, and the stress does not need one */
function makeGroup(name, { processors, gigabytes }) {
  const isNeeded = processors !== undefined || gigabytes !== undefined
  const group = `svc-stress-${name}-${process.pid}`
  const quota = processors && Math.round(processors * 100_000)
  const bytes = gigabytes && gigabytes * 1024 ** 3
  try {
    return existsSync('/sys/fs/cgroup/cgroup.controllers')
      ? secondVersion(join('/sys/fs/cgroup', group), quota, bytes)
      : firstVersion(group, quota, bytes)
  } catch (error) {
    if (!isNeeded) return undefined
    console.error(`${name} needs root and a control group that can be made here: ${error.message}`)
    process.exit(1)
  }
}

function secondVersion(folder, quota, bytes) {
  writeFileSync('/sys/fs/cgroup/cgroup.subtree_control', '+cpu +memory')
  mkdirSync(folder)
  if (quota) writeFileSync(join(folder, 'cpu.max'), `${quota} 100000`)
  if (bytes) writeFileSync(join(folder, 'memory.max'), String(bytes))
  const used = () =>
    Number(/usage_usec (\d+)/.exec(readFileSync(join(folder, 'cpu.stat'), 'utf8'))?.[1]) / 1e6
  return groupOf([folder], used)
}

function firstVersion(group, quota, bytes) {
  const folder = controller => join('/sys/fs/cgroup', controller, group)
  const controllers = ['cpuacct', ...(quota ? ['cpu'] : []), ...(bytes ? ['memory'] : [])]
  const folders = controllers.map(folder)
  for (const one of folders) mkdirSync(one, { recursive: true })
  if (quota) writeFileSync(join(folder('cpu'), 'cpu.cfs_quota_us'), String(quota))
  if (bytes) writeFileSync(join(folder('memory'), 'memory.limit_in_bytes'), String(bytes))
  const used = () => Number(readFileSync(join(folder('cpuacct'), 'cpuacct.usage'), 'utf8')) / 1e9
  return groupOf(folders, used)
}

function groupOf(folders, used) {
  return {
    folders,
    usedSeconds: () => Math.round(used()),
    async remove() {
      // A process that has just ended may still be counted.
      for (const folder of folders) {
        for (let attempt = 0; attempt < 50 && existsSync(folder); attempt++) {
          try {
            rmdirSync(folder)
          } catch {
            await new Promise(resolve => setTimeout(resolve, 100))
          }
        }
      }
    },
  }
}
