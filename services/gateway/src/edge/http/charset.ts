/**
 * Everything read here is UTF-8: JSON (RFC 8259, 8.1), and the forms of our pages and of OAuth (RFC 6749,
 * appendix B).
 */
import { refusal } from '@svc/contract/core/errors'
import type { IncomingMessage } from 'node:http'

/** One part of a Content-Type. Quoted parameters may contain semicolons (RFC 9110, 5.6.6). */
const part = /(?:"[^"]*"|[^;"])+/g
const charset = /^\s*charset\s*=(.*)$/i

/** @throws ApiError `UnsupportedMediaType` if a Content-Type names another character set, or an unreadable one */
export function refuseOtherCharset({ headers }: IncomingMessage) {
  const type = headers['content-type']
  if (!type?.includes(';')) return
  for (const parameter of type.match(part) ?? []) {
    const named = charset.exec(parameter)?.[1]?.trim()
    if (named !== undefined && !/^(utf-8|"utf-8")$/i.test(named)) throw refusal('unsupported_charset')
  }
}
