import { codes, type Tag, tags } from '@svc/contract/core/error-codes'
import { remedies } from './remedies.ts'

export function tagTable(): string {
  const rows = tagNames.map(tag => {
    const { status, means } = tags[tag]
    return `| ${status} | [\`${tag}\`](#${tag.toLowerCase()}) | ${isBare(tag) ? 'its own' : 'envelope'} | ${means} |`
  })
  return ['| Status | `_tag` | Body | Meaning |', '|-|-|-|-|', ...rows].join('\n')
}

export function codeSections(): string {
  return tagNames
    .map(tag => {
      const { status, means } = tags[tag]
      const head = `### ${tag}\n\nStatus ${status}: ${means}.`
      if (isBare(tag)) return `${head} Its body [is its own](#three-bodies-of-their-own), without a code.`
      const rows = Object.entries(codes)
        .filter(([, [, of]]) => of === tag)
        .map(
          ([name, [code, , message]]) =>
            `| \`${code}\` | ${escapeCell(message)} | ${remedies[name as keyof typeof codes]} |`,
        )
      const table = ['| Code | When | What to do |', '|-|-|-|', ...rows].join('\n')
      return `${head}\n\n${table}`
    })
    .join('\n\n')
}

const tagNames = Object.keys(tags) as Tag[]
const isBare = (tag: Tag) => 'bare' in tags[tag]

const escapeCell = (text: string) => text.replace(/[<>|*_`\\]/g, character => `\\${character}`)
