import { offers } from '@svc/contract/offers/offers'
import { FieldValues } from '../../pages/offer/field-values.tsx'
import { priceText } from '../../pages/offer/terms-view.tsx'
import { callOf } from '../forms/call-of.ts'
import { CommandLines } from '../forms/command-lines-view.tsx'
import { InstallsTable } from '../installs/installs-table.tsx'
import { OrdersTable } from '../orders/orders-table.tsx'
import { ConsolePage } from '../shell/console-page.tsx'
import type { Scene } from '../shell/scene.ts'
import { pageOf } from '../shell/search.ts'
import type { Answer } from '../ui/answers.ts'
import { Action, Card, Copied, Fact, PageHead } from '../ui/parts.tsx'
import { When } from '../ui/when.tsx'
import { channelText, type Names, soldText } from './names.ts'
import { OfferBadge } from './offer-badge.tsx'
import { QrCode } from './qr-code.tsx'

interface Sale {
  readonly offer: Answer<'get_offer'>
  readonly version: Answer<'get_package_version'>
  readonly orders: Answer<'list_orders'>
  readonly installs: Answer<'list_installs'>
  readonly names: Names
  /** The name of who made it, where it is known. */
  readonly maker: string | null | undefined
}

interface OfferPageProps {
  readonly scene: Scene
  readonly sale: Sale
}

export function OfferPage({ scene, sale }: OfferPageProps) {
  const { offer, orders, installs, names, version } = sale
  const { root } = scene
  const { id, state, short_hash, warnings } = offer
  const link = new URL(`/i/${short_hash}`, scene.publicUrl).href
  return (
    <ConsolePage
      scene={scene}
      title={soldText(offer, names)}
      part="/offers"
      crumbs={[{ label: 'Offers', path: '/offers' }]}
    >
      <PageHead title={soldText(offer, names)} id={id} badge={<OfferBadge state={state} />}>
        <Action href={`${root}/offers/new?from=${id}`}>Duplicate</Action>
        {state !== 'revoked' && scene.may(offers.operations.revoke_offer) && (
          <Action href={`${root}/offers/${id}/revoke`} look="danger">
            Revoke
          </Action>
        )}
      </PageHead>
      {warnings.map(({ code, message }) => (
        <p key={code} class="warning">
          {message}
        </p>
      ))}
      <div class="side-by-side">
        <div>
          <Card name="terms" title="Terms">
            <Terms {...{ scene, sale }} />
          </Card>
          {Object.keys(offer.field_values).length > 0 && (
            <Card
              name="values"
              title="Filled in for the customer"
              text="Locked values cannot be changed by them."
            >
              <Prefilled offer={offer} version={version} />
            </Card>
          )}
          <Card
            name="orders"
            title="Orders"
            actions={orders.data.length > 0 && <a href={`${root}/orders?offer_id=${id}`}>All</a>}
          >
            {orders.data.length > 0 ? (
              <OrdersTable scene={scene} orders={orders.data} side="received" />
            ) : (
              <p class="hint">Nobody has ordered yet. Send the link to your customer.</p>
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
              />
            ) : (
              <p class="hint">An install begins when an order is completed.</p>
            )}
          </Card>
        </div>
        <div>
          <Card name="link" title="Link for customers">
            <div class="link-of-offer">
              <Copied text={link} label="Copy the link" />
              <QrCode text={link} label="The link as a QR code" />
              <Action href={`/i/${short_hash}`} icon="external">
                Open as a customer
              </Action>
            </div>
          </Card>
          <Card name="more" title="Details">
            <Details {...{ scene, sale }} />
          </Card>
        </div>
      </div>
      <CommandLines
        call={callOf(scene, offers.operations.get_offer, { params: { id }, svc: 'offers get', args: [id] })}
      />
    </ConsolePage>
  )
}

function Terms({ scene, sale: { offer, version, names } }: OfferPageProps) {
  const { terms, seats, expires_at, order_ttl_minutes, allowed_emails, notes } = offer
  const channel = channelText(offer, names)
  return (
    <dl class="facts">
      <Fact label="Price">{priceText(terms)}</Fact>
      <Fact label="Seats">
        {seats.redeemed} taken, {seats.reserved} held by orders under way,{' '}
        {seats.available === null ? 'no limit' : `${seats.available} free`}
      </Fact>
      <Fact label="Version">
        <a href={`${scene.root}/catalogue/versions/${version.id}`}>{version.version}</a>
      </Fact>
      {channel && (
        <Fact label="Channel">
          <a href={`${scene.root}/catalogue/channels/${offer.offer_channel_id}`}>{channel}</a>, policy{' '}
          {offer.policy_number}
        </Fact>
      )}
      <Fact label="Approval">{terms.approval === 'manual' ? 'You approve each order' : 'Not needed'}</Fact>
      <Fact label="Payment">{terms.checkout === 'required' ? 'Before the install' : 'Not asked for'}</Fact>
      {terms.payment_instructions && (
        <Fact label="How to pay">
          <span class="lines">{terms.payment_instructions}</span>
        </Fact>
      )}
      {terms.support && <Fact label="Support">{terms.support}</Fact>}
      <Fact label="Ends">
        <When at={expires_at} now={scene.now} none="Never" />
      </Fact>
      <Fact label="Orders hold a seat">for {order_ttl_minutes} minutes</Fact>
      <Fact label="For">
        {allowed_emails.length > 0
          ? allowed_emails.join(', ')
          : 'Everybody who has the link and is signed in'}
      </Fact>
      {notes && (
        <Fact label="Note for customers">
          <span class="lines">{notes}</span>
        </Fact>
      )}
    </dl>
  )
}

function Prefilled({ offer, version }: Pick<Sale, 'offer' | 'version'>) {
  const groups = [
    ['Locked', true],
    ['Can be changed', false],
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
  const path = pageOf(by)
  return (
    <dl class="facts">
      {customer && (
        <Fact label="Customer">
          {customer.display_name}
          {customer.external_id && <span class="hint"> {customer.external_id}</span>}
        </Fact>
      )}
      {internal_note && <Fact label="Your note">{internal_note}</Fact>}
      {tier && <Fact label="Tier">{tier}</Fact>}
      <Fact label="API tokens">
        {offer.allow_api_tokens ? 'of other workspaces may order' : 'may not order'}
      </Fact>
      <Fact label="Created">
        <When at={created_at} now={scene.now} />
      </Fact>
      <Fact label="Created by">
        {path ? <a href={scene.root + path}>{maker ?? by}</a> : (maker ?? <code>{by}</code>)}
      </Fact>
      {revoked_at !== null && (
        <Fact label="Revoked">
          <When at={revoked_at} now={scene.now} />
        </Fact>
      )}
    </dl>
  )
}
