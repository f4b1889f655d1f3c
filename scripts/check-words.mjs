#!/usr/bin/env node
// Checks the words of docs/development/naming.md as far as a machine can: how comments and test titles begin, names
// that are not used, and contractions.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const self = 'scripts/check-words.mjs'

const comment = /^\s*(?:\/\*\*|\/\/|\*|\{\/\*) *(?:Of|So|That it)\b/
// The first argument of test, it, describe, and of the call after test.each, on the line of the call or on the next one.
const call = /(?:\b(?:test|it|describe)(?:\.\w+)*(?:<[^>]*>)?\(|\)\()\s*$/
const title = /(?:\b(?:test|it|describe)(?:\.\w+)*\(|\)\()\s*['"`](?:and|who|of)\b/
const titleAlone = /^\s*['"`](?:and|who|of)\b[^'"`]*['"`],$/
const names = [
  [
    /\b(?:sentWith|tellEnding|placesOf|createPlaces)\b/,
    'use callContext, announceExpiringOrders, createWorkQueue, createSlots',
  ],
  [/\bheed(?:s|ed|ing)?\b/i, 'write "apply" or "follow"'],
]
const forPeople = /^services\/(?:gateway\/src\/web\/(?!docs\/)|auth-tokens\/src\/mail\/)/
const whole = /^(?!\s*(?:\/\/|\/?\*|\{\/\*)).*\b(?:cannot|[Tt]here is)\b/
const short = /\b(?:can['’]t|[Tt]here['’]s)\b/

const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs'], { cwd: root, encoding: 'utf8' })
let found = 0
const report = (file, line, advice) => {
  found++
  console.error(`${file}:${line}: ${advice}`)
}
for (const file of files.trim().split('\n')) {
  if (file === self) continue
  let lines
  try {
    lines = readFileSync(`${root}/${file}`, 'utf8').split('\n')
  } catch {
    continue // Deleted, and not committed yet.
  }
  lines.forEach((text, at) => {
    const line = at + 1
    if (comment.test(text))
      report(file, line, 'begin the comment with its subject, as a sentence: not "Of", "So" or "That it"')
    if (/(?:\/test\/|^tests\/)/.test(file))
      if (title.test(text) || (titleAlone.test(text) && call.test(lines[at - 1] ?? '')))
        report(file, line, 'begin the title with its subject: not "and", "who" or "of"')
    if (forPeople.test(file) && whole.test(text))
      report(file, line, 'pages and mails say "can’t" and "there’s"')
    if (!forPeople.test(file) && !/\btests?\//.test(file) && short.test(text))
      report(file, line, 'write "cannot" and "there is" where no page or mail says it')
    for (const [word, advice] of names) if (word.test(text)) report(file, line, advice)
  })
}
if (found > 0) console.error(`${found} to be reworded: docs/development/naming.md`)
process.exitCode = found > 0 ? 1 : 0
