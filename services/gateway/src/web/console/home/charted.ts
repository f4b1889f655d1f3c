/** The events whose counts the home page draws. */
export const charted = [
  ['offers.created', 'Offers'],
  ['orders.created', 'Orders'],
  ['installs.created', 'Installs'],
] as const
