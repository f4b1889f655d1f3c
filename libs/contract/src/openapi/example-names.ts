/**
 * Ids, secrets and times of the examples. When these are sent to the product, its actual values replace them
 * consistently.
 */

const id = (prefix: string, n: number) => `${prefix}_01kb2m8xq5e7ta9c3v6n4hw${String(n).padStart(3, '0')}`

export const acme = id('ws', 1)
export const globex = id('ws', 2)
export const trial = id('ws', 3)

export const ada = { id: id('user', 1), email: 'ada@acme.example' }
export const kim = { id: id('user', 2), email: 'kim@acme.example' }
export const lee = { id: id('user', 3), email: 'lee@acme.example' }
export const grace = { id: id('user', 4), email: 'grace@globex.example' }

export const deployToken = { id: id('tok', 1), token: `sk_svc_${'EXAMPLE'.repeat(5)}00001`, hint: '0001' }
export const laptopToken = { id: id('tok', 2), token: `sk_svc_${'EXAMPLE'.repeat(5)}00002`, hint: '0002' }
export const rotatedSecret = `sk_svc_${'EXAMPLE'.repeat(5)}00003`
export const installCredential = `ik_svc_${'EXAMPLE'.repeat(5)}00001`
export const agentSecret = `ak_svc_${'EXAMPLE'.repeat(5)}00001`
export const session = id('sess', 1)
export const invitations = {
  firstOfKim: id('inv', 1),
  ofLee: id('inv', 2),
  ofKim: id('inv', 3),
}

export const analytics = id('pkg', 1)
export const version1 = id('pkgv', 1)
export const product = id('prod', 1)
export const channel = id('och', 1)

export const webOffer = { id: id('offer', 1), short_hash: '7Kd3mQx9TzRb' }
export const versionOffer = { id: id('offer', 2), short_hash: 'w5Nc8JpH2sYe' }
export const channelOffer = { id: id('offer', 3), short_hash: 'B4tGv6ZrUa1f' }
export const plainOffer = { id: id('offer', 4), short_hash: 'e2Xq9LmV5kWd' }

export const webOrder = id('order', 1)
export const channelOrder = id('order', 2)
export const rejectedOrder = id('order', 3)
export const cancelledOrder = id('order', 4)
export const install = id('inst', 1)
export const secondInstall = id('inst', 2)

export const cluster = id('clus', 1)
export const customerCluster = id('clus', 2)

export const webhook = {
  id: id('whe', 1),
  testEvent: id('evt', 1),
  secret: `whsec_${'EXAMPLE'.repeat(6)}1=`,
  rotatedSecret: `whsec_${'EXAMPLE'.repeat(6)}2=`,
}

const signature = '.c2lnbmF0dXJl'.padEnd(86, 'A')
export const licence = `eyJhbGciOiJFUzI1NiIsInR5cCI6ImxpY2VuY2Urand0In0.eyJzdWIiOiJpbnN0XzAxa2IyIn0${signature}1`
const keyPart = (n: number) => `${'EXAMPLE'.repeat(6)}${n}`
export const licenceKeys = {
  first: { kid: keyPart(1), x: keyPart(2), y: keyPart(3) },
  second: { kid: keyPart(4), x: keyPart(5), y: keyPart(6) },
}

/** Etags of the compute settings of `cluster`, before and after a change, and of the customer's. */
export const etags = {
  first: 'q7Zk2vXw0aRm3bNc',
  second: 'T9sLe4HuYp6Gd1Jf',
  offer: 'c1Vb8nMq3kXs6wPz',
  offerOfVersion: 'Jd5rTf2yLg9hKa4u',
  correctedOffer: 'e7QxZo0iWm3cRb8v',
}

export const spare = (prefix: string) => id(prefix, 900)

export const absent = (prefix: string) => `${prefix}_00000000000000000000000000`

export const at = (seconds = 0) => 1_795_341_600 + seconds
/** Times within a month after {@link at}() are chosen by the product, and differ in every run. */
export const isChosen = (time: number) => time >= at() && time < at(31 * 24 * 3600)
export const nextCentury = 4_070_908_800

/** Over the bytes of the body, with the secret of the webhook. */
export const stripeSignature = `t=${at()},v1=${'5f'.repeat(32)}`
