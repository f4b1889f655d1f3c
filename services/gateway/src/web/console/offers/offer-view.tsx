import { offers } from '@svc/contract/offers/offers'
import { FieldValues } from '../../kit/offers/field-values.tsx'
import { priceText } from '../../kit/offers/terms-view.tsx'
import { callOf } from '../forms/call-of.ts'
import { CommandLines } from '../forms/command-lines-view.tsx'
import { InstallsTable } from '../installs/installs-table.tsx'
import { OrdersTable } from '../orders/orders-table.tsx'
import { ConsolePage } from '../shell/console-page.tsx'
import type { Scene } from '../shell/scene.ts'
import { pageOf } from '../shell/search.ts'
import type { Answer } from '../ui/answers.ts'
import { Action, Card, Fact, PageHead } from '../../kit/ui/parts.tsx'
import { When } from '../../kit/ui/when.tsx'
import { LinkCard } from './link-card.tsx'
import { minutesText } from './minutes-text.ts'
import { channelText, type Names } from './names.ts'
import { OfferBadge } from './offer-badge.tsx'
import { paymentText } from './payment-text.ts'

interface Sale {
  readonly title: string
  readonly offer: Answer<'get_offer'>
  readonly version: Answer<'get_package_version'>
  readonly orders: Answer<'list_orders'>
  readonly installs: Answer<'list_installs'>
  readonly names: Names
  readonly maker: string | null | undefined
}

interface OfferPageProps {
  readonly scene: Scene
  readonly sale: Sale
}

export function OfferPage({ scene, sale }: OfferPageProps) {
  const { title, offer, orders, installs, version } = sale
  const { root } = scene
  const { id, state, short_hash, warnings } = offer
  const notice = scene.query.get('notice') ?? ''
  const isFresh = ['published', 'saved-terms', 'reused-terms'].includes(notice)
  const saved = notice !== 'published' && channelText(offer, sale.names)
  return (
    <ConsolePage scene={scene} title={title} part="/offers" crumbs={[{ label: 'Offers', path: '/offers' }]}>
      <PageHead title={title} id={id} badge={<OfferBadge state={state} />}>
        <Action href={`${root}/offers/new?from=${id}`}>Duplicate</Action>
        {state !== 'revoked' && <Action href={`${root}/offers/${id}/edit`}>Edit</Action>}
        {state !== 'revoked' && scene.may(offers.operations.revoke_offer) && (
          <Action href={`${root}/offers/${id}/revoke`} look="danger">
            Revoke
          </Action>
        )}
      </PageHead>
      {isFresh && (
        <p class="notice" role="status">
          Offer published. <a href="#link-title">Send its link to your customer</a>.
          {saved &&
            (notice === 'saved-terms'
              ? ` Saved as terms “${saved}”, which you can reuse.`
              : ` It has your saved terms “${saved}”.`)}
        </p>
      )}
      {warnings.map(({ code, message }) => (
        <p key={code} class="warning">
          {code === 'no_payment_instructions' ? noInstructions : message}
        </p>
      ))}
      <div class="side-by-side">
        <div>
          <Card name="terms" title="Terms">
            <Terms {...{ scene, sale }} />
          </Card>
          {Object.keys(offer.field_values).length > 0 && (
            <Card name="values" title="Prefilled values" text="Customers can’t change locked values.">
              <Prefilled offer={offer} version={version} />
            </Card>
          )}
          <Card
            name="orders"
            title="Orders"
            actions={orders.data.length > 0 && <a href={`${root}/orders?offer_id=${id}`}>All</a>}
          >
            {orders.data.length > 0 ? (
              <OrdersTable scene={scene} orders={orders.data} side="received" isNarrow />
            ) : (
              <p class="hint">No orders yet. Send the link to your customer.</p>
            )}
          </Card>
          <Card
            name="installs"
            title="Installs"
            actions={
              installs.data.length > 0 && <a href={`${root}/installs?relation=sold&offer_id=${id}`}>All</a>
            }
          >
            {installs.data.length > 0 ? (
              <InstallsTable
                scene={scene}
                installs={installs.data}
                names={{ orders: orders.data, clusters: [] }}
                isNarrow
              />
            ) : (
              <p class="hint">No installs yet. An install starts when an order is completed.</p>
            )}
          </Card>
        </div>
        <div>
          <LinkCard hash={short_hash} publicUrl={scene.publicUrl} isFresh={isFresh} />
          <Card name="more" title="Details">
            <Details {...{ scene, sale }} />
          </Card>
        </div>
      </div>
      <CommandLines call={callOf(scene, offers.operations.get_offer, { params: { id } })} />
    </ConsolePage>
  )
}

const noInstructions =
  'Customers aren’t told how to pay. Duplicate this offer with payment instructions, then revoke this one.'

function Terms({ scene, sale: { offer, version, names } }: OfferPageProps) {
  const { terms, seats, expires_at, order_ttl_minutes, allowed_emails, notes } = offer
  const channel = channelText(offer, names)
  return (
    <dl class="facts">
      <Fact label="Price">{priceText(terms)}</Fact>
      <Fact label="Payment">{paymentText(terms)}</Fact>
      <Fact label="Orders">
        {seats.redeemed} completed · {seats.reserved} in progress ·{' '}
        {seats.available === null ? 'no limit' : `${seats.available} left`}
      </Fact>
      <Fact label="Version">
        <a href={`${scene.root}/catalogue/versions/${version.id}`}>{version.version}</a>
      </Fact>
      {channel && (
        <Fact label="Saved terms">
          <a href={`${scene.root}/catalogue/channels/${offer.offer_channel_id}`}>{channel}</a>, revision{' '}
          {offer.policy_number}
        </Fact>
      )}
      <Fact label="Approval">{terms.approval === 'manual' ? 'Manual' : 'Automatic'}</Fact>
      {terms.payment_instructions && (
        <Fact label="Payment instructions">
          <span class="lines">{terms.payment_instructions}</span>
        </Fact>
      )}
      {terms.support && <Fact label="Support">{terms.support}</Fact>}
      <Fact label="Expires">
        <When at={expires_at} now={scene.now} none="Never" />
      </Fact>
      <Fact label="Time to complete an order">{minutesText(order_ttl_minutes)}</Fact>
      <Fact label="Can be ordered by">
        {allowed_emails.length > 0 ? allowed_emails.join(', ') : 'Anyone with the link'}
      </Fact>
      {notes && (
        <Fact label="Message to customer">
          <span class="lines">{notes}</span>
        </Fact>
      )}
    </dl>
  )
}

function Prefilled({ offer, version }: Pick<Sale, 'offer' | 'version'>) {
  const groups = [
    ['Locked', true],
    ['Editable', false],
  ] as const
  return (
    <>
      {groups.map(([title, isLocked]) => {
        const entries = Object.entries(offer.field_values).filter(([, { locked }]) => locked === isLocked)
        if (entries.length === 0) return null
        return (
          <div key={title}>
            <p class="hint">{title}</p>
            <FieldValues
              values={Object.fromEntries(entries.map(([name, { value }]) => [name, value]))}
              schema={version.input_schema}
            />
          </div>
        )
      })}
    </>
  )
}

function Details({ scene, sale: { offer, maker } }: OfferPageProps) {
  const { customer, internal_note, created_by, created_at, revoked_at, tier } = offer
  const by = created_by.user ?? created_by.id
  const name = created_by.kind === 'internal' ? 'The operator' : maker
  const path = pageOf(by)
  return (
    <dl class="facts">
      {customer && (
        <Fact label="Customer">
          {customer.display_name}
          {customer.external_id && <span class="hint"> {customer.external_id}</span>}
        </Fact>
      )}
      {internal_note && <Fact label="Internal note">{internal_note}</Fact>}
      {tier && <Fact label="Tier">{tier}</Fact>}
      <Fact label="API orders">{offer.allow_api_tokens ? 'On' : 'Off'}</Fact>
      <Fact label="Created">
        <When at={created_at} now={scene.now} />
      </Fact>
      <Fact label="Created by">
        {path ? <a href={scene.root + path}>{name ?? by}</a> : (name ?? <code>{by}</code>)}
      </Fact>
      {revoked_at !== null && (
        <Fact label="Revoked">
          <When at={revoked_at} now={scene.now} />
        </Fact>
      )}
    </dl>
  )
}
