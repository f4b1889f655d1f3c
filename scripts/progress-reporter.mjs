// Reports the progress of a test run by file and the slowest files, and ends with the summary for people and
// programs: the names of failed tests, and `N passed, N failed`. The summary is also written to the file
// SVC_TEST_VERDICT, for callers that run more than this.
import { appendFileSync, writeSync } from 'node:fs'
import { DefaultReporter } from 'vitest/node'
import { leftOutSubjects } from './test-tiers.mjs'

const longest = 10

export default class ProgressReporter extends DefaultReporter {
  #files = 0
  #ended = 0
  #failed = 0
  #began = 0
  #verdict = '0 passed, 1 failed\n'

  constructor() {
    // A summary that rewrites itself on a terminal would hide the lines.
    super({ summary: false })
  }

  onInit(vitest) {
    super.onInit(vitest)
    // At exit, so that nothing comes after it; a run that never got to its tests has not passed.
    const file = process.env.SVC_TEST_VERDICT
    // Test runs that a test starts are not part of this one.
    delete process.env.SVC_TEST_VERDICT
    process.once('exit', () => {
      writeSync(1, this.#verdict)
      if (file) appendFileSync(file, this.#verdict)
    })
  }

  onTestRunStart(specifications) {
    super.onTestRunStart(specifications)
    this.#files = specifications.length
    this.#began = performance.now()
  }

  onTestModuleEnd(module) {
    this.#ended++
    this.#failed += countsOf([module]).failed
    super.onTestModuleEnd(module)
  }

  getEntityPrefix(entity) {
    const prefix = super.getEntityPrefix(entity)
    if (entity.type !== 'module') return prefix
    const failed = this.#failed > 0 ? ` ${this.#failed} failed` : ''
    return `[${this.#ended}/${this.#files} ${clock(performance.now() - this.#began)}${failed}] ${prefix}`
  }

  reportSummary(files, errors) {
    super.reportSummary(files, errors)
    const slowest = files
      .map(file => ({ name: file.name, ms: file.result?.duration ?? 0 }))
      .sort((a, b) => b.ms - a.ms)
      .slice(0, longest)
    if (this.#files <= longest) return
    if (process.env.SVC_TEST_TIER !== 'all') this.log(` Left out, for npm run test:all: ${leftOutSubjects}.`)
    this.log(` The ${longest} files that took longest:`)
    for (const { name, ms } of slowest) this.log(`  ${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`)
  }

  onTestRunEnd(modules, unhandledErrors, reason) {
    super.onTestRunEnd(modules, unhandledErrors, reason)
    const counts = countsOf(modules)
    let failed = counts.failed + unhandledErrors.length
    if (reason !== 'passed' && failed === 0) failed = 1
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
    const names = failures(modules).map(name => `FAILED ${name}\n`)
    this.#verdict = `${names.join('')}${counts.passed} passed, ${failed} failed${skipped}\n`
  }
}

function countsOf(modules) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const module of modules) {
    const states = [...module.children.allTests()].map(test => test.result().state)
    const of = state => states.filter(one => one === state).length
    counts.passed += of('passed')
    counts.skipped += of('skipped')
    // A file that cannot be loaded and a hook that throws fail the file without failing a test.
    counts.failed += module.ok() ? of('failed') : Math.max(of('failed'), 1)
  }
  return counts
}

/** Failed tests, and files that failed without one because they could not be loaded or a hook threw. */
function failures(modules) {
  return modules
    .filter(module => !module.ok())
    .flatMap(module => {
      const tests = [...module.children.allTests('failed')].map(test => test.fullName)
      const file = module.relativeModuleId
      return tests.length > 0 ? tests.map(name => `${file} > ${name}`) : [file]
    })
}

function clock(ms) {
  const seconds = Math.floor(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
