/** What the output may look like: colour, width, and whether a person looks at it at all. */
import { styleText } from 'node:util'
import type { Surroundings } from './cli.ts'

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

export interface Terminal {
  /** Columns of standard output; undefined where that is not a terminal. */
  readonly columns: number | undefined
  /** It can do nothing but lines. */
  readonly dumb: boolean
  readonly style: (style: Style, text: string) => string
}

/** https://no-color.org: any value but the empty one. */
export function createTerminal({ env, stdout }: Pick<Surroundings, 'env' | 'stdout'>): Terminal {
  const dumb = env.TERM === 'dumb'
  const colour = stdout.isTTY && !dumb && !env.NO_COLOR
  return {
    get columns() {
      return stdout.isTTY ? stdout.columns || 80 : undefined
    },
    dumb,
    style: (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text),
  }
}
