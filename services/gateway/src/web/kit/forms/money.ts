/** Amounts in the format of people. The browser runs it, too: nothing here may need Node.js. */

/** In cents; undefined if it is not an amount. */
export const amountOf = (typed: string): number | undefined =>
  /^\d{1,12}([.,]\d{1,2})?$/.test(typed) ? Math.round(Number(typed.replace(',', '.')) * 100) : undefined

export const noAmount = 'Enter an amount, for example 49.00.'

export const amountText = (amount: number): string =>
  (amount / 100).toLocaleString('en', { minimumFractionDigits: 2 })

export const typedAmount = (amount: number): string => (amount / 100).toFixed(2)
