/**
 * The formats of JSON Schema 2020-12 (validation, section 7.3) on which the service and a browser agree. Each takes
 * time linear in its text.
 */

type IsValid = (text: string) => boolean

const number = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const isIpv4 = matches(`(?:${number}\\.){3}${number}`)
const isGroup = matches('[\\da-f]{1,4}')
const label = '[\\da-z](?:[\\da-z-]{0,61}[\\da-z])?'
const atom = "[\\w!#$%&'*+/=?^`{|}~-]+"

const encoded = '%[\\da-f]{2}'
const plain = "\\w.~!$&'()*+,;=\\-"
const segment = `(?:[${plain}:@]|${encoded})*`
const authority = `(?:(?:[${plain}:]|${encoded})*@)?(?:\\[([^\\]]*)\\]|(?:[${plain}]|${encoded})*)(?::\\d*)?`
const scheme = '[a-z][a-z\\d+.-]*:'
const uriReference = new RegExp(
  `^(${scheme}|(?![^/?#]*:))(?://${authority}(?:/${segment})*|(?!//)${segment}(?:/${segment})*)(?:\\?(?:[${plain}:@/?]|${encoded})*)?(?:#(?:[${plain}:@/?]|${encoded})*)?$`,
  'i',
)

const literal = '[^\\x00-\\x20\\x7f-\\x9f"<>%\\\\^`{|}]'
const name = `(?:\\w|${encoded})(?:\\.?(?:\\w|${encoded}))*(?::[1-9]\\d{0,3}|\\*)?`

export const stringFormats: Readonly<Record<string, IsValid>> = {
  // RFC 3339, section 5.6.
  date: isDate,
  time: isTime,
  'date-time': text => /^.{10}t/i.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11)),
  // RFC 3339, appendix A.
  duration: matches(
    `P(?:\\d+W|(?=\\d|T)${partsOf('Y', 'M', 'D')}(?:T(?=\\d)${partsOf('H', 'M', 'S')})?)`,
    '',
  ),
  // RFC 5321, section 4.1.2, without quoted names and addresses in brackets.
  email: matches(`${atom}(?:\\.${atom})*@(?:${label}\\.)+${label}`),
  // RFC 1123, section 2.1.
  hostname: matches(`(?=.{1,253}$)${label}(?:\\.${label})*`),
  // RFC 2673, section 3.2, and RFC 4291, section 2.2.
  ipv4: isIpv4,
  ipv6: isIpv6,
  // RFC 3986.
  uri: text => isUriReference(text, true),
  'uri-reference': text => isUriReference(text, false),
  // RFC 6570, with erratum 6937.
  'uri-template': matches(`(?:${literal}|${encoded}|\\{[+#./;?&=,!@|]?${name}(?:,${name})*\\})*`),
  // RFC 4122, section 3.
  uuid: matches('[\\da-f]{8}-(?:[\\da-f]{4}-){3}[\\da-f]{12}'),
}

function matches(source: string, flags = 'i'): IsValid {
  const pattern = new RegExp(`^(?:${source})$`, flags)
  return text => pattern.test(text)
}

/** One unit may only be followed by the next smaller one. */
function partsOf(large: string, middle: string, small: string): string {
  const last = `\\d+${small}`
  return `(?:\\d+${large}(?:\\d+${middle}(?:${last})?)?|\\d+${middle}(?:${last})?|${last})?`
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0
  return day >= 1 && day <= days
}

const time = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i

function isTime(text: string): boolean {
  const found = time.exec(text)
  if (!found) return false
  const [hour = 0, minute = 0, second = 0] = found.slice(1, 4).map(Number)
  const [offsetHour = 0, offsetMinute = 0] = found.slice(5).map(part => Number(part ?? 0))
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false
  if (second < 60) return true
  // A leap second is the last second of a day in UTC.
  const offset = (offsetHour * 60 + offsetMinute) * (found[4] === '-' ? -1 : 1)
  return (hour * 60 + minute - offset + 1) % (24 * 60) === 0
}

function isIpv6(text: string): boolean {
  const halves = text.split('::')
  if (halves.length > 2 || text.length > 45) return false
  const groups = halves.flatMap(half => (half === '' ? [] : half.split(':')))
  const hasIpv4 = !text.endsWith(':') && isIpv4(groups.at(-1) ?? '')
  const count = groups.length + (hasIpv4 ? 1 : 0)
  const hex = hasIpv4 ? groups.slice(0, -1) : groups
  return hex.every(isGroup) && (halves.length === 2 ? count <= 7 : count === 8)
}

function isUriReference(text: string, isAbsolute: boolean): boolean {
  const found = uriReference.exec(text)
  if (!found || (isAbsolute && found[1] === '')) return false
  const [, , literal] = found
  return literal === undefined || isIpv6(literal) || /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i.test(literal)
}
