/** The simulated panels and providers that a VTU script calls. The keys protect nothing. */

type Address = {
  readonly provider: string;
  /** Below the simulator's address. */
  readonly path: string;
  readonly keys: string;
};

export const ADDRESSES: readonly Address[] = [
  { provider: 'msorg panel', path: '/panel/msorg', keys: 'simulator-panel-key' },
  {
    provider: 'adex panel',
    path: '/panel/adex',
    keys: 'simulator-panel-key, login simulator:simulator-panel-password',
  },
  { provider: 'php panel', path: '/panel/php', keys: 'simulator-panel-key' },
  { provider: 'smartrecharge panel', path: '/panel/smartrecharge', keys: 'simulator-panel-key' },
  { provider: 'ClubKonnect', path: '/clubkonnect', keys: 'CK0000001, simulator-clubkonnect-key' },
  { provider: 'EasyAccess', path: '/easyaccess/api', keys: 'simulator-easyaccess-token' },
  { provider: 'SMEPlug', path: '/smeplug', keys: 'simulator-smeplug-key' },
  { provider: 'OGDAMS', path: '/ogdams', keys: 'sk_live_simulator' },
  { provider: 'VTU.ng', path: '/vtung', keys: 'simulator, simulator-vtung-password' },
  { provider: 'BuyPower', path: '/buypower/v2', keys: 'simulator-buypower-token' },
  { provider: 'Flutterwave bills', path: '/flutterwave-bills/v3', keys: 'FLWSECK_TEST-simulator' },
  { provider: 'Flutterwave', path: '/flutterwave/v3', keys: 'FLWSECK_TEST-simulator' },
  { provider: 'Payvessel', path: '/payvessel', keys: 'PVKEY-simulator, PVSECRET-simulator' },
  { provider: 'VTpass', path: '/vtpass/api', keys: 'simulator-api-key, PK_simulator, SK_simulator' },
];
