export const SERVICE = Symbol('SERVICE')
