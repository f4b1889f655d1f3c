/** The two codes of a device grant: RFC 8628, 3.2 and 6.1. */
import { randomInt } from 'node:crypto'

/** Seconds. */
export const deviceGrantLifetime = 600
/** Seconds between two polls, initially. */
export const pollInterval = 5
/** RFC 8628, 3.5: what `slow_down` adds. */
export const slowDownSeconds = 5
/** Seconds, however often a client polls too early. */
export const maxPollInterval = 60
/** Seconds that a poll may be early: the previous one may have been delayed. */
export const pollToleranceSeconds = 1

// Without vowels, so that no words are formed, and without digits that look like letters (RFC 8628, 6.1).
const letters = 'BCDFGHJKLMNPQRSTVWXZ'

/**
 * 8 of 20 letters (34.6 bits), or 12 (51.9 bits) while many are guessed, not counting hyphens. The page `/device`
 * accepts both.
 */
export const userCodeLetters = { usual: 8, guessed: 12 } as const

export const newUserCode = (length: number = userCodeLetters.usual): string =>
  Array.from({ length }, () => letters[randomInt(20)]).join('')

export const shownUserCode = (code: string): string => code.replace(/.{4}(?=.)/g, '$&-')
