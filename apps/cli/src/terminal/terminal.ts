import { styleText } from 'node:util'
import type { Surroundings } from '../surroundings.ts'

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

export interface Terminal {
  readonly columns: number | undefined
  readonly dumb: boolean
  readonly style: (style: Style, text: string) => string
}

/**
 * Makes a terminal that reports no columns one of 80 by 24: those of containers, serial lines and expect may not
 * know their size. Set on the stream itself, since tables, progress, help and prompts, not all of them ours, read
 * it there.
 */
export function assumeSize(stream: NodeJS.WriteStream): void {
  if (!stream.isTTY) return
  const assume = () => {
    stream.columns ||= 80
    stream.rows ||= 24
  }
  assume()
  stream.on('resize', assume)
}

/** https://no-color.org: any non-empty value. */
export function createTerminal({ env, stdout }: Pick<Surroundings, 'env' | 'stdout'>): Terminal {
  const dumb = env.TERM === 'dumb'
  const colour = stdout.isTTY && !dumb && !env.NO_COLOR
  return {
    get columns() {
      return stdout.isTTY ? stdout.columns : undefined
    },
    dumb,
    style: (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text),
  }
}
