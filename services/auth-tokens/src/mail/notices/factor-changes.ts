/** Changes of second factors, as mail reports them. */
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
  reset: [
    'The second factors of your account were removed',
    'The operator has removed your passkeys, your authenticator app and your recovery codes.',
  ],
} as const

export type FactorChange = keyof typeof factorChanges
