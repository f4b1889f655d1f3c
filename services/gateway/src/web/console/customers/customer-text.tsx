import type { Item } from '../ui/answers.ts'

interface CustomerTextProps {
  readonly customer: Item<'list_offers'>['customer']
  readonly email?: string | null
  /** Shown if nothing else is known. */
  readonly otherwise?: string
}

/** The seller's name for a customer, and how else they are known. */
export function CustomerText({ customer, email, otherwise = '–' }: CustomerTextProps) {
  if (!customer) return <span class="long">{email ?? otherwise}</span>
  const known = email ?? customer.external_id
  return (
    <>
      <span class="long">{customer.display_name}</span>
      {known && <p class="hint long">{known}</p>}
    </>
  )
}
