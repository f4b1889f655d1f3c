/** Words by whose beginnings things are found: the same when something is stored and when it is asked for. */
import { folded } from './folded.ts'

/** Characters of a word that count. */
const longest = 40

/**
 * The words of a text, each once: folded, in lower case and without accents, so that “dvorak” finds “Dvořák”. What is neither
 * a letter, a digit nor a mark of one separates words, so an address has several.
 */
export function wordsOf(...texts: readonly (string | null | undefined)[]): string[] {
  const plain = folded(texts.join(' ')).toLowerCase().normalize('NFKD').replace(accents, '').normalize('NFC')
  const found = plain.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  return [
    ...new Set(found.map(word => (word.length > longest ? [...word].slice(0, longest).join('') : word))),
  ]
}

const accents = /[\u0300-\u036f]/g

/** @param own from {@link wordsOf} */
export const beginWords = (wanted: readonly string[], own: readonly string[]): boolean =>
  wanted.every(word => own.some(one => one.startsWith(word)))
