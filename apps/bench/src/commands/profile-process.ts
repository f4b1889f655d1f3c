/** Imported into a process of the product before its own code: profiles it, and writes the profile when it ends. */
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'

const folder = process.env.BENCH_PROFILES
const intervalUs = 500

if (isMainThread && folder) {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.setSamplingInterval', { interval: intervalUs })
  session.post('Profiler.start')
  process.on('exit', () => {
    session.post('Profiler.stop', (error, stopped) => {
      if (!error) writeFileSync(join(folder, `${process.pid}.cpuprofile`), JSON.stringify(stopped.profile))
    })
  })
}
