/** What `npm start` prints when everything runs: where to look first, then everything else. */
interface Invited {
  readonly demo: {
    readonly base_url: string
    readonly api_token: string
    readonly product_id: string
    readonly owner: { readonly email: string }
    readonly stranger: { readonly email: string }
  }
  readonly devFile: string
  /** If there is none, the reason is printed: everything else works without it. */
  readonly offer: { readonly link: string } | { readonly missing: string }
  readonly tookMs: number
}

export function invitation({ demo, devFile, offer, tookMs }: Invited): string {
  const { base_url, api_token, product_id, owner, stranger } = demo
  return `
The console: ${new URL('/console', base_url)}
Sign in there as ${owner.email}, with the password under "owner" in ${devFile}

${'link' in offer ? offerLines(offer.link, stranger.email) : `No offer is ready: ${offer.missing}`}

svc is up after ${(tookMs / 1000).toFixed(1)} s: ${base_url}
Ids and credentials of the demo workspace: ${devFile}
API reference and guides: ${new URL('/docs', base_url)}
Create an offer:

curl -sS ${base_url}/offers -H 'Authorization: Bearer ${api_token}' -H 'Content-Type: application/json' -d '{"product_id":"${product_id}"}'
`
}

// A browser has one session: the seller's, once they are signed in to the console.
const offerLines = (link: string, customer: string) => `An offer is ready: ${link}
Order it: in a private window, as ${customer}, with the password under "stranger" in the same file`
