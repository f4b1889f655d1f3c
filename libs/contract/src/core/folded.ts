/**
 * A text in the form in which names are searched and compared: however a device writes its letters, in either case, and without
 * what is not seen (Unicode 3.13, NFKC_Casefold; upper case, since ß and SS, σ and ς are one there).
 */
export const folded = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    .normalize('NFKC')
