/**
 * Tags with their HTTP status (docs/specification.md, R17), and numeric codes with their sentences: status*100 + n
 * (R19).
 */

/** Tag → HTTP status. Tags marked `bare` do not use the envelope (docs/specification.md, R18). */
export const tags = {
  Validation: { status: 400, means: 'the request is malformed' },
  Unauthorized: { status: 401, means: 'missing, invalid or expired credential' },
  Forbidden: {
    status: 403,
    means: 'the credential may not act here, or the workspace context is missing or mismatched',
  },
  NotFound: { status: 404, means: 'no such route, or not found in this workspace' },
  MethodNotAllowed: { status: 405, means: 'the address has no such method; `Allow` names those it has' },
  RequestTimeout: { status: 408, means: 'the request was not received in time' },
  Conflict: { status: 409, means: 'conflict with the existing state or with an immutable intent' },
  PayloadTooLarge: { status: 413, means: 'the body is larger than the limit' },
  UnsupportedMediaType: { status: 415, means: 'the body is not plain JSON' },
  Unprocessable: { status: 422, means: 'well-formed, but it cannot be processed' },
  RateLimited: { status: 429, means: 'too many requests' },
  HeadersTooLarge: { status: 431, means: 'the request headers are larger than the limit' },
  Internal: { status: 500, means: 'an internal error' },
  Unavailable: {
    status: 503,
    means: 'not executed, or safe to repeat: try again after Retry-After seconds',
  },
  Timeout: { status: 504, means: 'no response in time; it is unknown whether the request was executed' },
  ClusterNotFoundError: { status: 404, bare: true, means: 'no cluster for the given id' },
  ComputeSettingsConflictError: {
    status: 409,
    bare: true,
    means: 'the If-Match etag is not that of the current settings',
  },
  ComputeSettingsQueryError: { status: 503, bare: true, means: 'the settings could not be queried' },
} as const satisfies Record<string, { status: number; bare?: boolean; means: string }>

export type Tag = keyof typeof tags
export type BareTag = { [T in Tag]: (typeof tags)[T] extends { bare: true } ? T : never }[Tag]
export type EnvelopeTag = Exclude<Tag, BareTag>

/** Name → numeric code, tag and default sentence. The table in the docs is generated from it. */
export const codes = {
  malformed_json: [40001, 'Validation', 'The body is not valid JSON.'],
  invalid_body: [40002, 'Validation', 'The body is not valid.'],
  invalid_header: [40003, 'Validation', 'A header is not valid.'],
  invalid_parameter: [40004, 'Validation', 'A path or query parameter is not valid.'],
  malformed_request: [40005, 'Validation', 'The request is not valid HTTP.'],
  repeated_key: [40006, 'Validation', 'A key of the body is given more than once.'],
  credential_missing: [
    40101,
    'Unauthorized',
    'No credential was sent. Send the header "Authorization: Bearer <token>".',
  ],
  credential_invalid: [40102, 'Unauthorized', 'The credential is invalid, expired or revoked.'],
  sign_in_failed: [40103, 'Unauthorized', 'Wrong email or password.'],
  step_up_required: [
    40104,
    'Unauthorized',
    'This needs you to have confirmed who you are within the last ten minutes. Run svc confirm, or send POST /v1/sessions/current/confirmation and open the address in the answer. Then repeat the request.',
  ],
  sign_in_ended: [40107, 'Unauthorized', 'This sign-in took too long, or has ended. Sign in again.'],
  factor_required: [40108, 'Unauthorized', 'The account has a second factor: prove it.'],
  workspace_required: [
    40301,
    'Forbidden',
    'This credential reaches several workspaces. Name one in the header "Svc-Context: ws_<id>".',
  ],
  workspace_mismatch: [
    40302,
    'Forbidden',
    'Svc-Context names a workspace other than that of the credential. Leave the header out.',
  ],
  not_a_member: [40303, 'Forbidden', 'The credential has no access to the workspace named in Svc-Context.'],
  role_too_low: [40304, 'Forbidden', "The credential's role in this workspace does not permit this."],
  credential_kind: [40305, 'Forbidden', 'This kind of credential may not call this operation.'],
  not_entitled: [
    40306,
    'Forbidden',
    'The offer is for another account: it is limited to certain email addresses.',
  ],
  permission_missing: [40307, 'Forbidden', 'The credential does not have the permission for this.'],
  address_refused: [40308, 'Forbidden', 'The credential is not accepted from this address.'],
  second_factor_required: [
    40309,
    'Forbidden',
    'This workspace requires a second factor, and you signed in without one. Set one up under /security, or confirm with it, then repeat the request.',
  ],
  unknown_route: [40401, 'NotFound', 'There is no such route.'],
  not_found: [40402, 'NotFound', 'Not found in this workspace.'],
  method_not_allowed: [
    40501,
    'MethodNotAllowed',
    'This address does not take this method. The header Allow names those it takes.',
  ],
  request_timeout: [40801, 'RequestTimeout', 'The request was not received in time.'],
  key_reused: [
    40901,
    'Conflict',
    'This Idempotency-Key was used with a different request. Use a new key for a new intent.',
  ],
  key_in_flight: [
    40902,
    'Conflict',
    'The first request with this Idempotency-Key is still being processed. Retry with the same key shortly.',
  ],
  reservation_expired: [
    40903,
    'Conflict',
    'The reservation of this Idempotency-Key expired before an offer was created. Use another key.',
  ],
  already_exists: [40905, 'Conflict', 'It already exists with different content.'],
  last_owner: [
    40906,
    'Conflict',
    'A workspace needs at least one owner. Make another member an owner first.',
  ],
  key_too_young: [40907, 'Conflict', 'The next signing key has not reached every gateway yet.'],
  key_signs: [40908, 'Conflict', 'The active signing key cannot be removed. Rotate the keys first.'],
  in_use: [40909, 'Conflict', 'It cannot be deleted while something refers to it.'],
  wrong_state: [40910, 'Conflict', 'The order’s state does not allow this step.'],
  offer_revoked: [40911, 'Conflict', 'The seller has revoked the offer.'],
  offer_expired: [40912, 'Conflict', 'The offer has expired.'],
  offer_exhausted: [40913, 'Conflict', 'The offer has no uses left.'],
  no_seat: [
    40914,
    'Conflict',
    'Orders in progress have reserved all that is left of the offer. Try again when one of them has ended.',
  ],
  paid_elsewhere: [
    40915,
    'Conflict',
    'Only the checkout that takes the payment of this order can confirm it.',
  ],
  invitation_closed: [
    40916,
    'Conflict',
    'The invitation was already answered, was revoked or has expired: see `state` in `metadata`.',
  ],
  order_under_way: [
    40917,
    'Conflict',
    'You already have an order from this offer in progress for another workspace. Complete or cancel it first.',
  ],
  already_created: [
    40918,
    'Conflict',
    'It was created with this Idempotency-Key already, and the first response had its secret. If that is lost, rotate it.',
  ],
  no_licence: [
    40920,
    'Conflict',
    'The install has no licence: it was removed, or its subscription has lapsed or ended. See `state` in `metadata`.',
  ],
  no_subscription: [40919, 'Conflict', 'Nothing is paid for this install.'],
  offer_changed: [
    40921,
    'Conflict',
    'The offer has changed since the etag in If-Match. Read it again, and send the etag in `metadata`.',
  ],
  confirmation_closed: [
    40926,
    'Conflict',
    'The code was already confirmed, was replaced by a newer one or has expired. Ask for another one.',
  ],
  payload_too_large: [41301, 'PayloadTooLarge', 'The body is larger than 256 KiB.'],
  unsupported_media_type: [
    41501,
    'UnsupportedMediaType',
    'Send the body as JSON, with the header "Content-Type: application/json".',
  ],
  unsupported_encoding: [
    41502,
    'UnsupportedMediaType',
    'Send the body uncompressed, without Content-Encoding.',
  ],
  unsupported_charset: [
    41503,
    'UnsupportedMediaType',
    'Send the body in UTF-8, with the header "Content-Type: application/json" and no other charset.',
  ],
  unknown_reference: [42201, 'Unprocessable', 'There is no such resource in this workspace.'],
  no_current_version: [42202, 'Unprocessable', 'The product has no current package version.'],
  version_of_other_package: [
    42203,
    'Unprocessable',
    "The package version does not belong to the product's package.",
  ],
  channel_of_other_product: [42204, 'Unprocessable', 'The offer channel belongs to another product.'],
  channel_inactive: [42205, 'Unprocessable', 'The offer channel is not active or has no active policy.'],
  time_in_past: [42206, 'Unprocessable', 'The time must be in the future.'],
  price_refused: [42207, 'Unprocessable', "The offer channel's policy does not allow this price."],
  mode_refused: [42208, 'Unprocessable', "The offer channel's policy does not allow this commercial mode."],
  invalid_field_value: [
    42209,
    'Unprocessable',
    "The value is not valid against the package version's input schema.",
  ],
  invalid_input_schema: [42210, 'Unprocessable', 'The input schema is not acceptable.'],
  unknown_placeholder: [42215, 'Unprocessable', 'The instructions have a placeholder for something unknown.'],
  url_refused: [42213, 'Unprocessable', 'Nothing can be sent to this URL.'],
  uses_taken: [
    42214,
    'Unprocessable',
    'More uses than that are redeemed or reserved: `min` in `metadata` is the lowest possible number.',
  ],
  claims_too_wide: [
    42216,
    'Unprocessable',
    'The claims would match runs of others: pin those in `metadata.missing`, too.',
  ],
  quota_exceeded: [42212, 'Unprocessable', 'A quota of the workspace is used up.'],
  factor_refused: [42217, 'Unprocessable', 'The code or passkey is wrong, or was used before.'],
  factor_not_added: [42218, 'Unprocessable', 'The factor was not added. Start again.'],
  link_invalid: [42211, 'Unprocessable', 'The link is invalid, already used or expired. Request a new one.'],
  too_many_attempts: [42902, 'RateLimited', 'Too many attempts. Try again later.'],
  too_many_connections: [
    42903,
    'RateLimited',
    'Too many connections from your address. Close some, or send more requests over each.',
  ],
  rate_limited: [
    42904,
    'RateLimited',
    'Too many requests in a short time. Try again after Retry-After seconds.',
  ],
  share_exceeded: [
    42905,
    'RateLimited',
    'You have more requests waiting than others do. Nothing was executed: send fewer at once.',
  ],
  headers_too_large: [43101, 'HeadersTooLarge', 'The request headers are larger than 16 KiB.'],
  internal: [
    50001,
    'Internal',
    'Something went wrong on our side. Quote the request id when you contact support.',
  ],
  unavailable: [50301, 'Unavailable', 'The service cannot be reached right now. Nothing was executed.'],
  overloaded: [50302, 'Unavailable', 'The service is overloaded. Nothing was executed.'],
  read_only: [50303, 'Unavailable', 'The service is temporarily read-only. Nothing was executed.'],
  timeout: [
    50401,
    'Timeout',
    'No response in time. It is unknown whether the request was executed: retry with the same Idempotency-Key, or read first.',
  ],
} as const satisfies Record<string, readonly [number, EnvelopeTag, string]>

export type CodeName = keyof typeof codes
