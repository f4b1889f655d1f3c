import type { Item } from '../ui/answers.ts'

interface CustomerTextProps {
  readonly customer: Item<'list_offers'>['customer']
  readonly email?: string
}

/** The seller's name for a customer, and how else they are known. */
export function CustomerText({ customer, email }: CustomerTextProps) {
  const known = [email, customer?.external_id].filter(Boolean).join(' · ')
  if (!customer) return <span class="long">{known || '–'}</span>
  return (
    <>
      <span class="long">{customer.display_name}</span>
      {known && <p class="hint long">{known}</p>}
    </>
  )
}
