/**
 * Reads which servers DATABASE_URL names: one, or several of which one at a time is the primary.
 * The form and its meaning are those of libpq (`host1:5432,host2:5432`, `host=`, `port=`,
 * `target_session_attrs`, `connect_timeout`), which the driver does not know.
 */
import { CodedError } from '../kernel/coded-error.ts';

export type ListedServer = {
  /** For messages: without the password. */
  readonly name: string;
  /** Empty where the URL names none; for a socket, its folder. */
  readonly host: string;
  readonly connectionString: string;
};

export type ServerList = {
  /** In the order in which they are tried. Never empty. */
  readonly servers: readonly ListedServer[];
  /** True: only a server that takes writes will do. */
  readonly mustWrite: boolean;
  /** How long one server has to take a connection; undefined where the URL does not say. */
  readonly connectTimeoutMs: number | undefined;
};

type ServerListFault =
  | 'comma'
  | 'connect_timeout'
  | 'port'
  | 'ports'
  | 'scheme'
  | 'server_name'
  | 'session_attrs'
  | 'session_attrs_missing';

/** Its message goes on after the name of the setting, and quotes nothing that may be a secret. */
export class ServerListError extends CodedError<ServerListFault> {
  override readonly name = 'ServerListError';
}

type Parts = {
  readonly scheme: string;
  readonly user: string;
  readonly hosts: string;
  readonly path: string;
  readonly parameters: URLSearchParams;
};

type Place = { readonly host: string; readonly port: string };

const TIMEOUT_MAX_S = 60;

/** Throws ServerListError. */
export function readServerList(url: string): ServerList {
  const parts = splitUrl(url);
  const places = placesOf(parts);
  const { parameters } = parts;
  const session = parameters.get('target_session_attrs') ?? 'any';
  const mustWrite = session === 'read-write' || session === 'primary';
  if (!mustWrite && session !== 'any') {
    throw new ServerListError(
      'session_attrs',
      'has a target_session_attrs with which Oja cannot work: it writes, so read-write or primary',
    );
  }
  if (!mustWrite && places.length > 1) {
    throw new ServerListError(
      'session_attrs_missing',
      'names several servers, of which one takes writes: add target_session_attrs=read-write',
    );
  }
  const servers = places.map((place) => ({
    name: nameOf(place),
    host: place.host,
    connectionString: places.length === 1 ? url : stringOf(parts, place),
  }));
  if (!servers.every(({ connectionString }) => URL.canParse(connectionString))) {
    throw new ServerListError(
      'server_name',
      'names a server by something that is neither a name nor an address',
    );
  }
  return { servers, mustWrite, connectTimeoutMs: timeoutOf(parameters) };
}

function splitUrl(url: string): Parts {
  const match = /^(postgres(?:ql)?:\/\/)([^/?#]*)([^?#]*)(?:\?([^#]*))?/.exec(url);
  if (match === null) {
    throw new ServerListError('scheme', 'must be a URL that begins with postgres:// or postgresql://');
  }
  const [, scheme = '', authority = '', path = '', query = ''] = match;
  const at = authority.lastIndexOf('@') + 1;
  const parameters = new URLSearchParams(query);
  return { scheme, user: authority.slice(0, at), hosts: authority.slice(at), path, parameters };
}

function placesOf({ hosts, parameters }: Parts): Place[] {
  const listed = parameters.get('host') || hosts;
  const places = listed.split(',').map(readPlace);
  const ports = (parameters.get('port') || '').split(',');
  if (ports.length > 1 && ports.length !== places.length) {
    throw new ServerListError(
      'ports',
      `names ${places.length} servers and ${ports.length} ports: give one port for all, or one for each`,
    );
  }
  const found = places.map(({ host, port }, index) => ({
    host,
    port: (ports.length > 1 ? ports[index] : ports[0]) || port,
  }));
  if (found.length > 1 && found.some(({ host }) => host === '')) {
    throw new ServerListError('comma', 'has a comma without a server before or after it');
  }
  if (!found.every(({ port }) => isPort(port))) {
    throw new ServerListError('port', 'has a port that is not a whole number from 1 to 65535');
  }
  return found;
}

/** `name`, `name:5432`, `[::1]:5432` or the folder of a socket. */
function readPlace(text: string): Place {
  if (/^(?:%2f|\/)/i.test(text)) return { host: text.replaceAll(/%2f/gi, '/'), port: '' };
  const match = /^(\[[^\]]*\]|[^:]*)(?::([^:]*))?$/.exec(text);
  // An address with more than one colon, outside of brackets, is one of IPv6 without a port.
  return match === null ? { host: `[${text}]`, port: '' } : { host: match[1] ?? '', port: match[2] ?? '' };
}

function isPort(text: string): boolean {
  return text === '' || (/^[0-9]{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 65_536);
}

function nameOf({ host, port }: Place): string {
  return `${host || 'localhost'}:${port || '5432'}`;
}

/** The same URL with this server alone. */
function stringOf({ scheme, user, path, parameters }: Parts, { host, port }: Place): string {
  const rest = new URLSearchParams(parameters);
  for (const name of ['host', 'port']) rest.delete(name);
  const isSocket = host.startsWith('/');
  if (isSocket) rest.set('host', host);
  if (isSocket && port !== '') rest.set('port', port);
  const place = isSocket ? 'localhost' : `${host}${port === '' ? '' : `:${port}`}`;
  return `${scheme}${user}${place}${path}?${rest}`;
}

function timeoutOf(parameters: URLSearchParams): number | undefined {
  const text = parameters.get('connect_timeout');
  if (text === null) return undefined;
  const seconds = /^[0-9]{1,2}$/.test(text) ? Number(text) : 0;
  if (seconds >= 1 && seconds <= TIMEOUT_MAX_S) return 1_000 * seconds;
  throw new ServerListError(
    'connect_timeout',
    `has a connect_timeout that is not a number of seconds from 1 to ${TIMEOUT_MAX_S}`,
  );
}
