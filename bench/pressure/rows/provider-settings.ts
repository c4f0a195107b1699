/**
 * The simulated providers as accounts of the operator, with their default limits. Those of the demo
 * have none.
 */
type Settings = Readonly<Record<string, string>>;

export function nombaSettings(simulatorUrl: string): Settings {
  return {
    OJA_NOMBA_BASE_URL: `${simulatorUrl}/nomba`,
    OJA_NOMBA_ACCOUNT_ID: '00000000-0000-4000-8000-00000000a001',
    OJA_NOMBA_CLIENT_ID: '00000000-0000-4000-8000-00000000c001',
    OJA_NOMBA_CLIENT_SECRET: 'simulator-client-secret-0123456789abcdefghij',
  };
}

export function reloadlySettings(simulatorUrl: string): Settings {
  return {
    OJA_RELOADLY_BASE_URL: `${simulatorUrl}/reloadly`,
    OJA_RELOADLY_CLIENT_ID: 'simulator-client-id',
    OJA_RELOADLY_CLIENT_SECRET: 'simulator-reloadly-secret-0123456789abcdefghij',
  };
}

export function esimAccessSettings(simulatorUrl: string): Settings {
  return {
    OJA_ESIMACCESS_BASE_URL: `${simulatorUrl}/esimaccess`,
    OJA_ESIMACCESS_ACCESS_CODE: 'simulator-access-code',
    OJA_ESIMACCESS_SECRET_KEY: 'simulator-esimaccess-secret-0123456789abcdefghij',
  };
}
