/** Limits of a request. */
import { scaled } from '@svc/contract/core/deadline-scale'

/** Bytes of a body. */
export const bodyLimit = 256 * 1024
/** Bytes of a request's headers. */
export const maxHeaderSize = 16 * 1024
/** Headers of a request. */
export const maxHeaders = 1000
/** A request whose headers or body take longer is dropped, in milliseconds. */
export const receiveMs = scaled(4000)
/** How often that is checked, in milliseconds. */
export const receiveCheckMs = 500
