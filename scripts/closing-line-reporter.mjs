// Ends a test run with one line for people and programs that read only the end: `N passed, N failed`.
import { writeSync } from 'node:fs'

export default class ClosingLineReporter {
  #line

  onInit() {
    // At exit, so that nothing comes after it; a run that never got to its tests has not passed.
    process.once('exit', () => writeSync(1, `${this.#line ?? '0 passed, 1 failed'}\n`))
  }

  onTestRunEnd(modules, unhandledErrors, reason) {
    let passed = 0
    let failed = unhandledErrors.length
    for (const module of modules) {
      const tests = [...module.children.allTests()].map(test => test.result().state)
      const failedHere = tests.filter(state => state === 'failed').length
      passed += tests.filter(state => state === 'passed').length
      // A file that cannot be loaded and a hook that throws fail the file without failing a test.
      failed += module.ok() ? failedHere : Math.max(failedHere, 1)
    }
    if (reason !== 'passed' && failed === 0) failed = 1
    this.#line = `${passed} passed, ${failed} failed`
  }
}
