#!/usr/bin/env node
import { createRequire } from 'node:module'

// Says so where Node.js is too old, instead of failing on syntax that it does not know.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`svc: Node.js ${process.versions.node} is too old: it takes 20.19 or later.\n`)
  process.exit(1)
}
// `import` would look through all of it for the names that it exports.
createRequire(import.meta.url)('../dist/svc.cjs')
