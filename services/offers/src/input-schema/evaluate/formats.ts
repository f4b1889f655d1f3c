import { stringFormats } from '@svc/contract/core/string-formats'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import type { Evaluation } from './evaluation.ts'

// The expression takes quadratic time (measured: 19 ms for 4,000 characters, seconds for a body full of them).
const maxUrlLength = 4096

type Format = (typeof fullFormats)[keyof typeof fullFormats]

export function formats(evaluation: Evaluation): Map<string, Format> {
  const url = (text: string) => {
    if (text.length > maxUrlLength) return false
    evaluation.spend((text.length ** 2) >> 9)
    return (fullFormats.url as RegExp).test(text)
  }
  return new Map<string, Format>(Object.entries({ ...fullFormats, ...stringFormats, url, byte, regex }))
}

// ajv's own pattern matches any line of several.
const byte = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

// ajv accepts invalid escapes such as `\a`.
function regex(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}
