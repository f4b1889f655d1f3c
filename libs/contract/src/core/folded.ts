/**
 * The form in which names are searched and compared: normalized, caseless, and without invisible characters
 * (Unicode 3.13, NFKC_Casefold; in upper case, where ß and SS, σ and ς are equal).
 */
export const folded = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    .normalize('NFKC')
