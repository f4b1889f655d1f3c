import type { QuotaName } from '@svc/contract/core/quotas'
import type { Answer } from '../ui/answers.ts'
import { Table } from '../ui/list.tsx'
import { Card } from '../../kit/ui/parts.tsx'
import { asWords } from '../../kit/ui/words.ts'

type Quota = Answer<'get_limits'>['quotas'][number]

const names: Partial<Record<string, string>> = {
  api_tokens: 'API tokens',
  offer_bytes: 'Size of all offers',
  orders_placed: 'Orders placed and open',
  invitations: 'Pending invitations',
} satisfies Partial<Record<QuotaName, string>>

const nameOf = (quota: string): string => names[quota] ?? asWords(quota)

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

function amountOf(quota: string, amount: number): string {
  if (!quota.endsWith('_bytes')) return amount.toLocaleString('en')
  const unit = Math.min(units.length - 1, amount > 0 ? Math.floor(Math.log2(amount) / 10) : 0)
  return `${(amount / 1024 ** unit).toLocaleString('en', { maximumFractionDigits: 1 })} ${units[unit]}`
}

export const Quotas = ({ quotas }: { readonly quotas: readonly Quota[] }) => (
  <Card
    name="quotas"
    title="Quotas"
    text="What this workspace uses, and its limits. Contact the operator to raise one."
  >
    <Table
      label="Quotas"
      items={quotas}
      keyOf={({ quota }) => quota}
      columns={[
        { label: 'Resource', value: ({ quota }) => nameOf(quota) },
        { label: 'What counts', isExtra: true, value: ({ counts }) => asWords(counts) },
        { label: 'Used', isNumber: true, value: quota => <Used {...quota} /> },
        {
          label: 'Limit',
          isNumber: true,
          value: ({ quota, most }) => <span class="amount">{amountOf(quota, most)}</span>,
        },
      ]}
    />
  </Card>
)

const Used = ({ quota, used, most }: Quota) => (
  <span class="amount">
    {amountOf(quota, used)}
    <meter
      min={0}
      max={Math.max(most, 1)}
      high={Math.max(most, 1) * 0.8}
      value={most > 0 ? used : 1}
      aria-label={`${nameOf(quota)}: ${amountOf(quota, used)} of ${amountOf(quota, most)}`}
    />
  </span>
)
