/** Amounts as people type and read them. The browser runs it, too: nothing here may need Node.js. */

/** In cents; undefined where it is no amount. */
export const amountOf = (typed: string): number | undefined =>
  /^\d{1,12}([.,]\d{1,2})?$/.test(typed) ? Math.round(Number(typed.replace(',', '.')) * 100) : undefined

export const noAmount = 'Enter an amount, for example 49.00.'

/** To be read. @param amount in cents */
export const amountText = (amount: number): string =>
  (amount / 100).toLocaleString('en', { minimumFractionDigits: 2 })

/** In a field. @param amount in cents */
export const typedAmount = (amount: number): string => (amount / 100).toFixed(2)
