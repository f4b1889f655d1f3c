/** What commands are given, and how they publish what they found. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { repoRoot } from '@svc/local/repo-root'
import type { Cleanup } from '../cleanup.ts'
import type { Options } from '../options.ts'

export interface Surroundings {
  readonly options: Options
  readonly cleanup: Cleanup
  /** A line of progress. */
  say(line: string): void
  /** A part of the result. */
  print(text: string): void
  /** Installs and builds apps/bench/peers. */
  preparePeers(): Promise<void>
}

export interface Findings {
  /** Markdown. */
  readonly report: readonly string[]
  readonly json: object
  /** By the end of their names. */
  readonly images?: Readonly<Record<string, string>>
}

/** Prints the report, and writes it, the JSON and the images. */
export async function publish({ options, print }: Surroundings, { report, json, images }: Findings) {
  const text = report.filter(Boolean).join('\n\n')
  print(text)
  const files = { json: asJson(json), md: `${text}\n`, ...images }
  const paths = Object.entries(files).map(([end, content]) => writeResult(options, end, content))
  print(`\n${(await Promise.all(paths)).join('\n')}`)
}

const began = new Date().toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-')

/** Files of one run have the command's name and the time at which it began. */
export async function writeResult({ command, out }: Options, end: string, content: string): Promise<string> {
  const folder = out === undefined ? join(repoRoot, 'apps/bench/results') : resolve(out)
  await mkdir(folder, { recursive: true })
  const path = join(folder, `${command}-${began}.${end}`)
  await writeFile(path, content)
  return path
}

export const asJson = (value: object) => `${JSON.stringify(value, null, 1)}\n`
