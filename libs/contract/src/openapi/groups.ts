/** Tags of the OpenAPI document; the most sought-after come first. */
export const groups = {
  Offers:
    'What a seller offers for a product or a package version, pinned to one concrete version. Customers reach an offer at `/i/<short_hash>`.',
  Orders:
    'The path from an offer to an install: take a seat, submit the field values, pass approval and checkout.',
  Products: 'What is sold: a package under a name, with a current version.',
  Packages:
    'What is installed, in immutable versions. The input schema of a version defines what a customer fills in.',
  'Offer channels':
    'Ways to sell a product. The active policy of a channel decides approval, checkout, support and price of its offers; policies are numbered and immutable.',
  Installs: 'What customers have installed from offers. Both seller and owner can see an install.',
  Licences:
    'What an install proves with, without a network, that it may run, and the keys with which the seller’s program verifies that. The guide “Licences” shows both.',
  Customers: 'Everybody who ordered from the workspace, with what they ordered.',
  'API tokens':
    'Credentials of a workspace for scripts and CI: `sk_svc_…`. The secret is shown only once and stored hashed; a revoked token is refused as soon as the revocation returns.',
  'CI trusts':
    'Which runs of GitHub Actions and GitLab get an API token for minutes in exchange for their ID token, so that no secret is stored there.',
  Workspaces: 'Workspaces own all resources; members have roles in them.',
  Invitations:
    'Invitations to a workspace by email address. Nothing about a person changes, or is shown, before they accept.',
  Sessions: 'Where a person is signed in.',
  Clusters: 'Where installs run. What a cluster may use is in its compute settings.',
  'Compute settings':
    'Auto-scaling and the machine limit of a cluster. Changes are guarded by an etag, so that nobody overwrites changes they have not seen.',
  Events: 'What happened in a workspace, and who did it.',
  'Webhook endpoints':
    'Where the events of a workspace are sent to. The guide “Webhooks” says how to receive them.',
  Webhooks: 'Events from other systems. Not called by API users.',
} as const

export type Group = keyof typeof groups
