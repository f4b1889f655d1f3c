import type { CodeName } from '@svc/contract/core/error-codes'
import { ApiError, refusal } from '@svc/contract/core/errors'

const byCode: Record<string, CodeName> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_request',
  FST_ERR_CTP_EMPTY_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_TYPE: 'unsupported_media_type',
  FST_ERR_BAD_URL: 'malformed_request',
  FST_ERR_MAX_PARAM_LENGTH: 'invalid_parameter',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

export function refusalOf(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error
  const { code = '', statusCode = 500 } = error as { code?: string; statusCode?: number }
  const known = byCode[code]
  if (known) return refusal(known)
  return statusCode >= 400 && statusCode < 500 ? refusal('malformed_request') : undefined
}
