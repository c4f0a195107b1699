/** The settings of each provider that its account needs; the last ones are for its webhooks. */
export const providers = {
  vtpass: ['OJA_VTPASS_API_KEY', 'OJA_VTPASS_PUBLIC_KEY', 'OJA_VTPASS_SECRET_KEY'],
  nomba: [
    'OJA_NOMBA_ACCOUNT_ID',
    'OJA_NOMBA_SUB_ACCOUNT_ID',
    'OJA_NOMBA_CLIENT_ID',
    'OJA_NOMBA_CLIENT_SECRET',
    'OJA_NOMBA_PAYER_NAME',
    'OJA_NOMBA_SIGNATURE_KEY',
  ],
  reloadly: [
    'OJA_RELOADLY_CLIENT_ID',
    'OJA_RELOADLY_CLIENT_SECRET',
    'OJA_RELOADLY_SENDER_NAME',
    'OJA_RELOADLY_SIGNING_SECRET',
  ],
  esimaccess: ['OJA_ESIMACCESS_ACCESS_CODE', 'OJA_ESIMACCESS_SECRET_KEY'],
  none: [],
};
