/** Permissions as a scope (RFC 6749, 3.3), or `account`: all that a person may. */
import { type Permission, permissions, wholeAccount } from '@svc/contract/core/permissions'
import type { Form } from './form.ts'
import { OauthError } from './oauth-error.ts'

export const scopes = [wholeAccount, ...permissions]

/** @returns undefined if it is malformed, or names anything else */
export function parseScope(text: string): readonly Permission[] | typeof wholeAccount | undefined {
  if (text === wholeAccount) return wholeAccount
  const named = new Set(text.split(' '))
  const known = permissions.filter(name => named.has(name))
  return known.length === named.size ? known : undefined
}

/**
 * The scope that is asked for, each permission once.
 *
 * @throws OauthError `invalid_scope`
 */
export function scopeIn(form: Form): Permission[] | typeof wholeAccount | undefined {
  const text = form.optional('scope')
  const asked = text === undefined ? undefined : parseScope(text)
  if (text !== undefined && asked === undefined) throw new OauthError('invalid_scope')
  return typeof asked === 'object' ? [...asked] : asked
}

/** Named in each answer, because one other than the requested one must be (RFC 6749, 5.1). */
export const scopeOf = (granted: readonly string[] | undefined): string => granted?.join(' ') ?? wholeAccount
