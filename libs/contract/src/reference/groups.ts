/** The groups of operations, as tags of the OpenAPI document, in its order. */
export const groups = {
  'API tokens':
    'Credentials of a workspace for scripts and CI: `sk_svc_…`. The secret is shown once and stored hashed; a revoked token is refused from the reply on.',
  Clusters: 'Where installs run. What a cluster may use is in its compute settings.',
  'Compute settings':
    'Auto-scaling and the machine limit of a cluster. Changes are guarded by an etag, so that nobody overwrites what they have not seen.',
  Installs: 'What customers have installed from offers. Both sides of an install see it.',
  Invitations:
    'Asked into a workspace by address. Nothing about a person changes, or is shown, before they accept.',
  'Offer channels':
    'Ways to sell a product. The active policy of a channel decides approval, checkout, support and price of its offers; policies are numbered and immutable.',
  Offers:
    'What a seller offers for a product or a package version, pinned to one concrete version. Customers reach an offer at `/i/<short_hash>`.',
  Orders:
    'The way from an offer to an install: take a seat, submit the field values, pass approval and checkout.',
  Packages:
    'What is installed, in immutable versions. The input schema of a version says what a customer fills in.',
  Products: 'What is sold: a package under a name, with a current version.',
  Sessions: 'Where a person is signed in.',
  Webhooks: 'Messages of other systems. Not called by API users.',
  Workspaces: 'Whose everything is, and who is a member in which role.',
} as const

export type Group = keyof typeof groups
