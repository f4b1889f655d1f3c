/** Refuses passwords that attackers try first: common ones, and those derived from the address. */
import { domainToUnicode } from 'node:url'
import { passwordForm } from './passwords.ts'
import { type ApiError, refusal } from '@svc/contract/core/errors'

const shortestWord = 8
const shortestPart = 4

/** @throws ApiError `Validation` for a common password, and for one with a part of the address in it */
export async function refuseWeakPassword(password: string, email: string): Promise<void> {
  const written = passwordForm(password).toLowerCase()
  if (partsOf(email).some(part => written.includes(part) || lettersOf(written).includes(part))) {
    throw refused('The password contains part of the email address. Choose another one.')
  }
  const words = await commonPasswords()
  if (formsOf(written).some(form => words.has(form))) {
    throw refused('The password is too common and easily guessed. Choose another one.')
  }
}

const refused = (message: string): ApiError => refusal('invalid_body', { path: ['password'], message })

const lettersOf = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '')

/** The part before the @, as written and without its signs, and all labels of the domain but the last. */
function partsOf(email: string): string[] {
  const [local = '', domain = ''] = email.split('@')
  return [local, lettersOf(local), ...domainToUnicode(domain).split('.').slice(0, -1)].filter(
    part => part.length >= shortestPart,
  )
}

/**
 * Normalised as in the lists: without spaces and symbols, without a year at the end, symbols replaced by
 * letters.
 */
function formsOf(written: string): string[] {
  const whole = [written, lettersOf(written)]
  const bare = [...whole, ...whole.map(form => form.replace(/[^\p{L}]{1,4}$/u, ''))]
  return [...bare, ...bare.map(form => form.replace(/[013457@$!]/g, sign => letters[sign] ?? sign))]
}

const letters: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

let loaded: Promise<ReadonlySet<string>> | undefined

/** Read when the first password is set: most processes never need it. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  loaded ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => {
    const words = dictionary['passwords-common'].map(word => word.toLowerCase())
    return new Set(words.filter(word => word.length >= shortestWord))
  })
  return loaded
}
