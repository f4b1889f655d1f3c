const base32 = '0123456789abcdefghjkmnpqrstvwxyz'

/** When something with this TypeID was made, in Unix milliseconds: the first 48 bits of its UUID, which are its first ten characters. */
export function timeOfId(id: string): number {
  let time = 0
  for (const character of id.slice(id.lastIndexOf('_') + 1).slice(0, 10)) {
    time = time * 32 + base32.indexOf(character)
  }
  return time
}
