export const root = '/v1'
