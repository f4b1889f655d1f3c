/** Bytes of the forms that may be longer than others, by their paths: a character has twelve at most as a form sends it. */
const kilobytes = 1024

export const formLimits: Readonly<Record<string, number>> = {
  // A schema, or values of an offer, as the operations take them.
  '/catalogue/packages/:id/versions/new': 384 * kilobytes,
  '/offers/new': 384 * kilobytes,
  '/start': 384 * kilobytes,
  // 2000 characters of payment instructions, and what was typed for the other kind of price.
  '/catalogue/channels/:id/policies/new': 64 * kilobytes,
  // A URL of 2048 characters and a hundred types, once as they are and once as they were.
  '/webhooks/new': 128 * kilobytes,
  '/webhooks/:id/edit': 128 * kilobytes,
}
