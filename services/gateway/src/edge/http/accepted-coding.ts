/** Whether an `Accept-Encoding` accepts a coding: it is listed, and not with the weight 0 (RFC 9110, 12.5.3). */
export const accepts = (accepted: string, coding: 'br' | 'gzip'): boolean =>
  new RegExp(`\\b${coding}\\b(?! *; *q=0(?:\\.0*)?(?: *,|$))`, 'i').test(accepted)
