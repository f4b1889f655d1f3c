export const charted = [
  ['offers.created', 'Offers'],
  ['orders.created', 'Orders'],
  ['installs.created', 'Installs'],
] as const
