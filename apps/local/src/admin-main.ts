import { text } from 'node:stream/consumers'
import { admin } from './admin.ts'

process.exitCode = await admin(process.argv.slice(2), {
  env: process.env,
  readInput: () => text(process.stdin),
  out: line => process.stdout.write(line),
  err: line => process.stderr.write(line),
})
