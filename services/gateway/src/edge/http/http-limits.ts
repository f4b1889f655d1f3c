import { scaled } from '@svc/contract/core/deadline-scale'

export const bodyLimit = 256 * 1024
export const maxHeaderSize = 16 * 1024
export const maxHeaders = 1000
export const receiveMs = scaled(4000)
/** Milliseconds. */
export const receiveCheckMs = 500
