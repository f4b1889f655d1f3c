/** Changes of second factors, and attempts to do without, as mail reports them. */
export const factorChanges = {
  passkey_added: ['A passkey was added to your account', 'From now on it signs you in.'],
  passkey_removed: ['A passkey was removed from your account', 'It no longer signs you in.'],
  totp_added: [
    'An authenticator app was added to your account',
    'From now on, signing in asks for its code.',
  ],
  totp_removed: ['The authenticator app was removed from your account', 'Its codes no longer count.'],
  recovery_codes_created: ['Your account has new recovery codes', 'Those from before no longer count.'],
  recovery_code_used: ['A recovery code of your account was used', 'It can’t be used again.'],
  locked_out: [
    'Too many wrong codes for your account',
    'Somebody who has your password, or a session of yours, gave five wrong codes. For ten minutes no code is accepted; a passkey is.',
  ],
  reset: [
    'The second factors of your account were removed',
    'The operator has removed your passkeys, your authenticator app and your recovery codes.',
  ],
} as const

export type FactorChange = keyof typeof factorChanges
