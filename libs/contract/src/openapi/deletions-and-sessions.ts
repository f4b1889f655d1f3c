/** What is no longer needed goes, and at last Ada signs out. */
import { refusal } from '../core/errors.ts'
import { isRefused, succeeds } from './example.ts'
import { theInstall } from '../offers/installs-examples.ts'
import {
  absent,
  ada,
  analytics,
  at,
  channel,
  channelOffer,
  install,
  product,
  session,
  spare,
  webOffer,
} from './example-names.ts'

const deletions = [
  isRefused('offers', 'delete_offer_channel', {
    summary: 'An offer refers to it',
    by: 'owner',
    request: { params: { id: channel } },
    refusal: refusal('in_use', {
      message: `It cannot be deleted: offer ${channelOffer.id} refers to it.`,
      metadata: { offer: channelOffer.id },
    }),
  }),
  isRefused('offers', 'delete_product', {
    summary: 'A channel and an offer refer to it',
    by: 'owner',
    request: { params: { id: product } },
    refusal: refusal('in_use', {
      message: `It cannot be deleted: offer_channel ${channel} and offer ${webOffer.id} refer to it.`,
      metadata: { offer_channel: channel, offer: webOffer.id },
    }),
  }),
  isRefused('offers', 'delete_package', {
    summary: 'A product and an offer refer to it',
    by: 'owner',
    request: { params: { id: analytics } },
    refusal: refusal('in_use', {
      message: `It cannot be deleted: product ${product} and offer ${webOffer.id} refer to it.`,
      metadata: { product, offer: webOffer.id },
    }),
  }),
  succeeds('offers', 'create_package', {
    summary: 'A draft package',
    by: 'script',
    aside: true,
    request: { body: { name: 'Draft' } },
    answer: { body: { id: spare('pkg'), name: 'Draft', created_at: at(7000) } },
  }),
  succeeds('offers', 'create_product', {
    summary: 'The draft’s product',
    by: 'script',
    aside: true,
    request: { body: { name: 'Draft', package_id: spare('pkg') } },
    answer: {
      body: {
        id: spare('prod'),
        name: 'Draft',
        package_id: spare('pkg'),
        current_package_version_id: null,
        created_at: at(7000),
      },
    },
  }),
  isRefused('offers', 'create_offer', {
    summary: 'The product has no current version',
    by: 'script',
    request: { body: { product_id: spare('prod') } },
    refusal: refusal('no_current_version', {
      path: ['product_id'],
      message: 'The product has no current package version. Set one, or send package_version_id.',
    }),
  }),
  succeeds('offers', 'create_offer_channel', {
    summary: 'The draft’s channel',
    by: 'script',
    aside: true,
    request: { body: { product_id: spare('prod'), name: 'Draft', status: 'inactive' } },
    answer: {
      body: {
        id: spare('och'),
        product_id: spare('prod'),
        name: 'Draft',
        status: 'inactive',
        active_policy: null,
        created_at: at(7000),
      },
    },
  }),
  succeeds('offers', 'delete_offer_channel', {
    summary: 'A channel without offers',
    by: 'owner',
    request: { params: { id: spare('och') } },
    answer: {},
  }),
  succeeds('offers', 'delete_product', {
    summary: 'A product without offers',
    by: 'owner',
    request: { params: { id: spare('prod') } },
    answer: {},
  }),
  succeeds('offers', 'delete_package', {
    summary: 'A package without products',
    by: 'owner',
    request: { params: { id: spare('pkg') } },
    answer: {},
  }),
]

const removals = [
  succeeds('offers', 'remove_install', {
    summary: 'Already deleted',
    by: 'customer',
    request: { params: { id: install } },
    answer: { body: { ...theInstall, state: 'removed', removed_at: at(7200) } },
  }),
  isRefused('offers', 'remove_install', {
    summary: 'Called by the seller',
    by: 'script',
    request: { params: { id: install } },
    refusal: refusal('not_found'),
  }),
]

const endOfSession = [
  succeeds('auth-tokens', 'get_user', {
    summary: 'The signed-in person',
    by: 'owner',
    request: {},
    answer: {
      body: {
        id: ada.id,
        email: ada.email,
        verified: true,
        created_at: at(),
        session: { id: session, expires_at: at(30 * 24 * 3600) },
      },
    },
  }),
  succeeds('auth-tokens', 'list_sessions', {
    summary: 'The person’s sessions',
    by: 'owner',
    request: {},
    answer: {
      body: {
        data: [
          {
            id: session,
            client: null,
            address: null,
            user_agent: null,
            created_at: at(),
            last_used_at: at(8000),
            expires_at: at(30 * 24 * 3600),
            current: true,
          },
        ],
        next_cursor: null,
      },
    },
  }),
  succeeds('auth-tokens', 'end_other_sessions', {
    summary: 'Signed out everywhere else',
    by: 'owner',
    request: {},
    answer: { body: { ended: 2 } },
  }),
  isRefused('auth-tokens', 'end_session', {
    summary: 'Another person’s session',
    by: 'owner',
    request: { params: { id: absent('sess') } },
    refusal: refusal('not_found', { path: ['id'], message: 'You have no such session.' }),
  }),
  succeeds('auth-tokens', 'end_session', {
    summary: 'The session used for the request',
    by: 'owner',
    request: { params: { id: 'current' } },
    answer: {},
  }),
  isRefused('auth-tokens', 'list_sessions', {
    summary: 'Already ended',
    by: 'owner',
    request: {},
    refusal: refusal('credential_invalid'),
  }),
]

export const deletionsAndSessions = [...removals, ...deletions, ...endOfSession]
