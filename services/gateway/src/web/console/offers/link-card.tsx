import { Icon } from '../../kit/ui/icon.tsx'
import { Action, Card } from '../../kit/ui/parts.tsx'
import { QrCode } from '../../kit/ui/qr-code.tsx'

interface LinkCardProps {
  readonly hash: string
  readonly publicUrl: string
  readonly isFresh: boolean
}

export function LinkCard({ hash, publicUrl, isFresh }: LinkCardProps) {
  const link = new URL(`/i/${hash}`, publicUrl).href
  return (
    <div class={isFresh ? 'fresh' : undefined}>
      <Card name="link" title="Customer link">
        <div class="link-of-offer">
          <code class="long">
            {link.slice(0, -hash.length)}
            <wbr />
            <span class="whole">{hash}</span>
          </code>
          {/* The script makes it appear. */}
          <button type="button" class="button copy-link" data-copy={link} hidden>
            <Icon name="copy" />
            <span class="before">Copy link</span>
            <span class="after">Copied</span>
          </button>
          <QrCode text={link} label="The link as a QR code" />
          <Action href={`/i/${hash}`} icon="external">
            Preview as customer
          </Action>
        </div>
      </Card>
    </div>
  )
}
