import type { Token, Tokens } from 'marked'

const ways = { sh: 'curl', ts: 'TypeScript', svc: 'svc' } as const
const answers = ['json', 'http', 'text']

export interface Ways {
  readonly type: 'ways'
  readonly raw: string
  readonly ordinal: number
  readonly blocks: readonly Tokens.Code[]
}

export interface Answer {
  readonly type: 'answer'
  readonly raw: string
  readonly block: Tokens.Code
}

/** Joins consecutive blocks in different languages, and marks the answers that follow them. */
export function joinWays(tokens: readonly Token[]): Token[] {
  const joined: Token[] = []
  let ordinal = 0
  for (let at = 0; at < tokens.length; ) {
    let end = at
    while (isWay(tokens[end]) || (end > at && tokens[end]?.type === 'space')) end++
    const blocks = tokens.slice(at, end).filter(isWay)
    if (blocks.length === 0) {
      joined.push(tokens[at++] as Token)
      continue
    }
    const [block] = blocks as [Tokens.Code]
    joined.push(
      blocks.length === 1 ? block : ({ type: 'ways', raw: '', ordinal: ++ordinal, blocks } satisfies Ways),
    )
    at = end
    const next = tokens[at]
    if (!isAnswer(next)) continue
    joined.push({ type: 'answer', raw: '', block: next } satisfies Answer)
    at++
  }
  return joined
}

const isCode = (token: Token | undefined): token is Tokens.Code => token?.type === 'code'
const isWay = (token: Token | undefined): token is Tokens.Code =>
  isCode(token) && Object.hasOwn(ways, token.lang ?? '')
const isAnswer = (token: Token | undefined): token is Tokens.Code =>
  isCode(token) && answers.includes(token.lang ?? '')

/**
 * One below the other, each with its heading. The stylesheet turns them into a choice with radio buttons if scripts
 * run, so it needs no script of ours.
 */
export function drawWays({ blocks, ordinal }: Ways, draw: (block: Tokens.Code) => string): string {
  const choices = blocks.map(({ lang }, index) => {
    const checked = index === 0 ? ' checked' : ''
    return `<label><input type="radio" name="way-${ordinal}" value="${lang}"${checked}><span>${nameOf(lang)}</span></label>`
  })
  const parts = blocks.map(
    block => `<div data-way="${block.lang}"><h3>${nameOf(block.lang)}</h3>${draw(block)}</div>\n`,
  )
  return `<div class="ways"><fieldset><legend class="unseen">Show the example in</legend>${choices.join('')}</fieldset>\n${parts.join('')}</div>\n`
}

const nameOf = (language = '') => ways[language as keyof typeof ways]

export const drawAnswer = (
  { block }: Pick<Answer, 'block'>,
  draw: (block: Tokens.Code) => string,
  title = 'Answer',
): string => `<div class="answer"><p>${title}</p>${draw(block)}</div>\n`
