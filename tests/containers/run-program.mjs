import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { runStep } from '../../scripts/run-step.mjs'

const execute = promisify(execFile)

/** What a program prints. */
export async function output(command, args, options = {}) {
  const { stdout } = await execute(command, args, { maxBuffer: 64 * 1024 * 1024, ...options })
  return stdout
}

/** Runs a program that takes a while, says so, and shows the end of what it printed where it fails. */
export const run = (label, command, args, options = {}) =>
  runStep({ label, command, args, mend: () => '', ...options })
