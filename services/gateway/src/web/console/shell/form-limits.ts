/** Bytes of the forms that may be longer than others, by path: a form encodes a character in up to twelve bytes. */
const kilobytes = 1024

export const formLimits: Readonly<Record<string, number>> = {
  // A schema, or values of an offer, at the operations' limits.
  '/catalogue/packages/:id/versions/new': 384 * kilobytes,
  '/offers/new': 384 * kilobytes,
  '/start': 384 * kilobytes,
  // 2000 characters of payment instructions, and the values typed for the other kind of price.
  '/catalogue/channels/:id/policies/new': 64 * kilobytes,
  // A URL of 2048 characters, both new and old.
  '/webhooks/new': 64 * kilobytes,
  '/webhooks/:id/edit': 64 * kilobytes,
}
