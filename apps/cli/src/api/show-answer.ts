import type { Cli } from '../cli.ts'
import { exitCodes, Failure } from '../failure.ts'
import { printable } from '../terminal/printable.ts'
import { type Json, selectedLines } from './select.ts'

/** @throws Failure if the body is not JSON to select from */
export function showAnswer(cli: Cli, text: string, select?: (body: Json) => Json): void {
  const { terminal, stdout } = cli
  if (text === '') return
  if (select) {
    const lines = selectedLines(select(jsonOf(text)), terminal.columns && 2)
    stdout.write(lines.map(line => `${terminal.columns ? readable(line) : line}\n`).join(''))
  } else {
    stdout.write(terminal.columns === undefined ? text : `${readable(laidOut(text))}\n`)
  }
}

function jsonOf(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure(exitCodes.failed, 'The response is not JSON: --query has nothing to select from.')
  }
}

function laidOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text.trimEnd()
  }
}

const readable = (text: string) => text.split('\n').map(printable).join('\n')
