/** The versioned root: every path of the contract is relative to it. */
export const root = '/v1'
