import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpus } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { startMeter } from '../src/load/meter.ts'
import { cpuOf, cpuWithChildren, machineTime, residentMb, usageIsKnown } from '../src/load/process-usage.ts'

const burnUs = 300_000
const burn = `
  const until = process.cpuUsage().user + ${burnUs}
  while (process.cpuUsage().user < until) for (let i = 0; i < 1e6; i++);
`

const count = 'const { user, system } = process.cpuUsage(); console.log(user + system)'

/** Keeps the processor busy for that long, by this process's own count. */
function work(us: number) {
  const { user, system } = process.cpuUsage()
  const spent = () => {
    const now = process.cpuUsage()
    return now.user + now.system - user - system
  }
  while (spent() < us) for (let i = 0; i < 1e6; i++);
  return spent()
}

test('the CPU time of this process agrees with its own count to two ticks', () => {
  const before = cpuOf(process.pid)
  const own = work(burnUs)
  const read = cpuOf(process.pid) - before
  if (usageIsKnown) expect(Math.abs(read - own)).toBeLessThan(40_000)
  else expect(read).toBe(0)
})

test('a child counts while it runs, and once after it has ended', async () => {
  const before = cpuWithChildren(process.pid) - cpuOf(process.pid)
  const children = () => cpuWithChildren(process.pid) - cpuOf(process.pid) - before
  const child = spawn(process.execPath, ['-e', `${burn} ${count}; setInterval(() => {}, 1000)`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [own] = await once(child.stdout, 'data')
  const running = children()
  child.kill('SIGKILL')
  await once(child, 'exit')
  const ended = children()
  if (!usageIsKnown) return expect([running, ended]).toEqual([0, 0])
  expect(running).toBeGreaterThan(burnUs - 10_000)
  // Its end costs something as well, but not as much as it had used.
  expect(ended).toBeGreaterThanOrEqual(running)
  expect(ended - running).toBeLessThan(Number(own))
})

test('a process that is gone has used nothing', () => {
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  expect([cpuOf(pid), residentMb(pid)]).toEqual([0, 0])
})

test('resident memory is reported in MB', () => {
  const own = process.memoryUsage.rss() / 1_000_000
  if (usageIsKnown) expect(Math.abs(residentMb(process.pid) - own)).toBeLessThan(own * 0.2)
  else expect(residentMb(process.pid)).toBe(0)
})

test('a meter divides by the number of requests, and reports which other processes were busy', async () => {
  const child = spawn(process.execPath, ['-e', 'process.stdout.write("at work"); for (;;);'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  const childBefore = cpuOf(child.pid ?? 0)
  const meter = startMeter({ processes: { self: process.pid } })
  const began = performance.now()
  const own = work(400_000)
  const ms = performance.now() - began
  const use = meter.lap()({ ms, requests: 100 })
  const childUs = cpuOf(child.pid ?? 0) - childBefore
  if (!usageIsKnown) return expect(use).toEqual({})
  expect(use.cpu_us?.self).toBeGreaterThan((own / 100) * 0.85)
  expect(use.cpu_us?.self).toBeLessThan((own / 100) * 1.15)
  expect(use.cpu_total_us).toBe(use.cpu_us?.self)
  expect(use.measuring_us).toEqual({})
  expect(use.others_share).toBeGreaterThan((0.5 * childUs) / (ms * 1000 * cpus().length))
})

test("the machine's time increases", () => {
  const before = machineTime()
  work(50_000)
  const after = machineTime()
  if (usageIsKnown) expect(after.busy).toBeGreaterThan(before.busy)
  expect(after.all).toBeGreaterThanOrEqual(after.busy)
})
