/**
 * The settings that each provider's account needs, in the order of the gateway's documents. Those of
 * its webhooks come last.
 */
export const providers = {
  vtpass: ['OJA_VTPASS_API_KEY', 'OJA_VTPASS_PUBLIC_KEY', 'OJA_VTPASS_SECRET_KEY'],
  nomba: [
    'OJA_NOMBA_ACCOUNT_ID',
    'OJA_NOMBA_SUB_ACCOUNT_ID',
    'OJA_NOMBA_CLIENT_ID',
    'OJA_NOMBA_CLIENT_SECRET',
    'OJA_NOMBA_SIGNATURE_KEY',
    'OJA_BUSINESS_NAME',
  ],
  clubkonnect: ['OJA_CLUBKONNECT_USER_ID', 'OJA_CLUBKONNECT_API_KEY'],
  smeplug: ['OJA_SMEPLUG_SECRET_KEY'],
  buypower: ['OJA_BUYPOWER_TOKEN', 'OJA_CONTACT_EMAIL'],
  'flutterwave-bills': ['OJA_FLUTTERWAVE_BILLS_SECRET_KEY', 'OJA_FLUTTERWAVE_BILLS_SECRET_HASH'],
  vtung: ['OJA_VTUNG_USERNAME', 'OJA_VTUNG_PASSWORD', 'OJA_VTUNG_PIN'],
  easyaccess: ['OJA_EASYACCESS_TOKEN'],
  ogdams: ['OJA_OGDAMS_SECRET_KEY'],
  panel: ['OJA_PANEL_URL', 'OJA_PANEL_KEY', 'OJA_PANEL_MAPPING'],
  reloadly: [
    'OJA_RELOADLY_CLIENT_ID',
    'OJA_RELOADLY_CLIENT_SECRET',
    'OJA_RELOADLY_SIGNING_SECRET',
    'OJA_BUSINESS_NAME',
  ],
  esimaccess: ['OJA_ESIMACCESS_ACCESS_CODE', 'OJA_ESIMACCESS_SECRET_KEY'],
  none: [],
};
