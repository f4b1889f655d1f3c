/** A line on standard error while something takes long; only on a terminal, and removed afterwards. */
import { fit } from './fit.ts'
import type { CommandLine } from '../surroundings.ts'
import type { Terminal } from './terminal.ts'

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const frameMs = 100
const quietMs = 400
const clearLine = '\r\u001b[2K'

/** Shows `label` until the work has ended; a function is called for every frame. */
export async function withProgress<T>(
  { stderr, terminal, options }: Pick<CommandLine, 'stderr' | 'options'> & { readonly terminal: Terminal },
  label: string | (() => string),
  work: Promise<T>,
): Promise<T> {
  if (!stderr.isTTY || terminal.dumb || options.json) return work
  const startedAt = Date.now()
  let frame = 0
  const timer = setInterval(() => {
    if (Date.now() - startedAt < quietMs) return
    const text = `${frames[frame++ % frames.length]} ${typeof label === 'string' ? `${label} …` : label()}`
    stderr.write(clearLine + fit(text, stderr.columns - 1))
  }, frameMs)
  try {
    return await work
  } finally {
    clearInterval(timer)
    if (frame > 0) stderr.write(clearLine)
  }
}
