// A program like the services, for tests of start and stop. The first argument chooses what it does.
import { createServer } from 'node:net'
import { readConfig, processConfig } from '@svc/runtime/config'
import { createLog } from '@svc/runtime/log'
import { failToStart, run } from '@svc/runtime/process'
import { processMetrics } from '@svc/telemetry/metrics'

const part = process.argv[2]
const say = text => process.stderr.write(`${text}\n`)

async function start() {
  const config = readConfig({
    HEALTH_HOST: processConfig.HEALTH_HOST,
    HEALTH_PORT: processConfig.HEALTH_PORT,
    DRAIN_TIMEOUT_MS: processConfig.DRAIN_TIMEOUT_MS,
    LOG_LEVEL: processConfig.LOG_LEVEL,
  })
  const log = createLog('program', config.LOG_LEVEL)
  let connected = true
  process.on('SIGUSR2', () => {
    connected = !connected
  })
  const metrics = processMetrics('program', new URL('../package.json', import.meta.url))
  await run({ config, log, metrics }, async () => {
    if (part === 'cannot start') throw Object.assign(new Error('the schema is newer'), { code: 'X1' })
    if (part === 'slow start') await new Promise(resolve => setTimeout(resolve, 600_000))
    if (part === 'deaf') createServer().listen(0, '127.0.0.1')
    if (part === 'throws') process.once('SIGUSR1', () => setImmediate(() => explode('thrown')))
    if (part === 'rejects') process.once('SIGUSR1', () => void Promise.reject(new Error('rejected')))
    const told = part === 'slow drain' && new Promise(resolve => process.once('SIGUSR1', resolve))
    const step = name => async () => {
      say(`begin ${name}`)
      await told
      if (part === 'never drains' && name === 'finish') await new Promise(() => {})
      if (part === 'fails to drain' && name === 'finish') throw new Error('no')
      say(`end ${name}`)
    }
    return { ready: { bus: () => connected }, drain: ['stop receiving', 'finish', 'close'].map(step) }
  })
}

function explode(message) {
  throw Object.assign(new Error(message), { detail: 'Key (email)=(x@y)', parameters: ['hunter2'] })
}

start().catch(failToStart)
